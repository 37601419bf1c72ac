package io.fairlead.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What figures are measured on. */
public final class Machine {
    private Machine() {}

    /** Processor, cores, system and JVM, in one line. */
    public static String describe() {
        return processor() + ", " + Runtime.getRuntime().availableProcessors() + " cores, "
                + System.getProperty("os.name") + " " + System.getProperty("os.arch") + ", "
                + System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version");
    }

    private static String processor() {
        Path info = Path.of("/proc/cpuinfo");
        if (!Files.isReadable(info)) {
            return "unnamed processor";
        }
        try (var lines = Files.lines(info)) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse("unnamed processor");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
