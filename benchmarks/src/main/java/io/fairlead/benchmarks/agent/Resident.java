package io.fairlead.benchmarks.agent;

import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * An application that prints how many KiB of its process are in memory. What it has thrown away is collected before, and
 * all of the young generation has been used, so that what remains is what somebody holds.
 */
final class Resident {
    private static final int ROUNDS = 512;
    private static final int BLOCK = 64 * 1024;

    private Resident() {}

    /**
     * Measures.
     *
     * @param args the URL that is called a thousand times before; none: no call is made
     */
    public static void main(String[] args) throws IOException {
        if (args.length > 0) {
            MemorySocket.install();
            URL url = URI.create(args[0]).toURL();
            for (int i = 0; i < 1000; i++) {
                Calls.call(url);
            }
        }
        long sum = 0;
        for (int i = 0; i < ROUNDS; i++) {
            byte[] block = new byte[BLOCK];
            block[i] = 1;
            sum += block.length;
        }
        System.gc();
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("VmRSS:") && sum > 0) {
                System.out.println(line.replaceAll("[^0-9]", ""));
            }
        }
    }
}
