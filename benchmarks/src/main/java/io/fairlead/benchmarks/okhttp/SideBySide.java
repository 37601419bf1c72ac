package io.fairlead.benchmarks.okhttp;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * What the interceptor adds to a call, by turns in one JVM. From one JVM to the next a call of plain OkHttp differs by more
 * than the interceptor takes: how the threads come to lie on the processors, how the compiler decides. So blocks of calls
 * with and without it follow one another, and what counts is the difference of each pair of neighbours. Written as one line:
 * the medians of the differences of processor time and of time, in nanoseconds a call.
 */
public final class SideBySide {
    /** Short enough that whatever else the machine does falls on both of a pair. */
    private static final int CALLS = 200;

    private static final int WARM_PAIRS = 100;
    private static final int PAIRS = 250;
    private static final int QUICK_PAIRS = 80;

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final Client plain;
    private final Client ours;

    private SideBySide(Client plain, Client ours) {
        this.plain = plain;
        this.ours = ours;
    }

    /**
     * Measures in a JVM of its own.
     *
     * @param jvmArguments how it is started
     */
    static Difference measureApart(boolean quick, List<String> jvmArguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmArguments);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), SideBySide.class.getName()));
        if (quick) {
            command.add("--quick");
        }
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException("measuring side by side failed: " + said);
        }
        String[] figures = said.strip().split(" ", -1);
        return new Difference(Double.parseDouble(figures[0]), Double.parseDouble(figures[1]));
    }

    /** Runs in a JVM of its own. Argument: {@code --quick} or nothing. */
    public static void main(String[] args) throws Exception {
        List<BareServer> servers = IntStream.range(0, CallBenchmark.SERVERS)
                .mapToObj(i -> new BareServer())
                .toList();
        List<String> urls = servers.stream().map(BareServer::url).toList();
        try (Client plain = create(Clients.PLAIN, urls);
                Client ours = create(Clients.OURS, urls)) {
            Difference found = new SideBySide(plain, ours).measure(args.length > 0 ? QUICK_PAIRS : PAIRS);
            System.out.printf(Locale.ROOT, "%.0f %.0f%n", found.cpuNanos(), found.wallNanos());
        } finally {
            servers.forEach(BareServer::close);
        }
    }

    private static Client create(String name, List<String> urls) {
        return Objects.requireNonNull(Clients.BY_NAME.get(name), name).apply(urls);
    }

    private Difference measure(int pairs) throws Exception {
        for (int i = 0; i < WARM_PAIRS; i++) {
            pair(i);
        }
        double[] cpu = new double[pairs];
        double[] wall = new double[pairs];
        for (int i = 0; i < pairs; i++) {
            Difference one = pair(i);
            cpu[i] = one.cpuNanos();
            wall[i] = one.wallNanos();
        }
        return new Difference(median(cpu), median(wall));
    }

    /** Each of the two is the first in every other pair. */
    private Difference pair(int number) throws Exception {
        boolean plainFirst = (number & 1) == 0;
        Difference first = block(plainFirst ? plain : ours);
        Difference second = block(plainFirst ? ours : plain);
        return plainFirst ? second.minus(first) : first.minus(second);
    }

    private Difference block(Client client) throws Exception {
        long cpu = threads.getCurrentThreadCpuTime();
        long wall = System.nanoTime();
        for (int i = 0; i < CALLS; i++) {
            client.call();
        }
        double wallNanos = System.nanoTime() - wall;
        double cpuNanos = threads.getCurrentThreadCpuTime() - cpu;
        return new Difference(cpuNanos / CALLS, wallNanos / CALLS);
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /**
     * What a call takes, or takes more than another.
     *
     * @param cpuNanos processor time of the caller's thread
     * @param wallNanos time, from the caller's side
     */
    record Difference(double cpuNanos, double wallNanos) {
        private Difference minus(Difference other) {
            return new Difference(cpuNanos - other.cpuNanos, wallNanos - other.wallNanos);
        }
    }
}
