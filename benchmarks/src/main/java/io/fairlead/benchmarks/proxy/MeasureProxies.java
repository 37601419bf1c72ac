package io.fairlead.benchmarks.proxy;

import io.fairlead.benchmarks.Machine;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Measures the proxies and writes {@code proxy-benchmark.md}. Arguments: {@code [--quick] [--warm SECONDS] [--only REGEX]
 * GATEWAY-JAR DIRECTORY}.
 *
 * <p>All run at once, and are loaded one after the other, each round in another order, so that what else the machine does
 * meets all of them. The figures are those of the median round.
 */
public final class MeasureProxies {
    private static final int IDLE = 1000;
    private static final int AWAITED = 500;

    private final PrintStream log;
    private final Load load;
    private final int warmMillis;
    private final int rounds;
    private final int roundMillis;

    private MeasureProxies(PrintStream log, Load load, int warmMillis, int rounds, int roundMillis) {
        this.log = log;
        this.load = load;
        this.warmMillis = warmMillis;
        this.rounds = rounds;
        this.roundMillis = roundMillis;
    }

    /** Runs from the command line. */
    public static void main(String[] args) throws IOException, InterruptedException {
        boolean quick = false;
        int warm = -1;
        String only = "";
        List<String> rest = new ArrayList<>();
        for (int i = 0; i < args.length; i++) {
            switch (args[i]) {
                case "--quick" -> quick = true;
                case "--warm" -> warm = Integer.parseInt(args[++i]);
                case "--only" -> only = args[++i];
                default -> rest.add(args[i]);
            }
        }
        if (warm < 0) {
            warm = quick ? 6 : 20;
        }
        Path scratch = Files.createTempDirectory("proxy-benchmark");
        try {
            MeasureProxies run =
                    new MeasureProxies(System.out, WrkLoad.orJvm(scratch), warm * 1000, quick ? 2 : 9, 2000);
            List<Contender> contenders =
                    new Contenders(Path.of(rest.get(0)), scratch, System.out).matching(Pattern.compile(only));
            List<ProxyFigures> figures = run.measure(contenders);
            String command = "benchmarks/run proxy" + (quick ? " --quick" : "")
                    + (only.isEmpty() ? "" : " --only '" + only + "'");
            ProxyTable table = new ProxyTable(
                    figures, command, Machine.describe(), run.load.name(), warm, run.rounds, run.roundMillis / 1000);
            Path page = Files.createDirectories(Path.of(rest.get(1))).resolve("proxy-benchmark.md");
            table.writeInto(page);
            System.out.println(table.text());
            System.out.println("wrote " + page);
        } finally {
            delete(scratch);
        }
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }

    private List<ProxyFigures> measure(List<Contender> contenders) throws IOException, InterruptedException {
        List<ProxyFigures> figures = new ArrayList<>();
        List<ProxyProcess> proxies = new ArrayList<>();
        try (ProxyProcess origin = Contenders.jvm(Origin.class, "")) {
            OriginClient client = new OriginClient(origin.port());
            for (Contender contender : contenders) {
                figures.add(new ProxyFigures(contender.name()));
                proxies.add(contender.starter().start(origin.port()));
            }
            List<Integer> order = new ArrayList<>();
            for (int i = 0; i < proxies.size(); i++) {
                order.add(i);
                warm(client, proxies.get(i), figures.get(i).name());
            }
            for (int round = 0; round < rounds; round++) {
                for (Case what : Case.values()) {
                    Collections.rotate(order, 1);
                    for (int i : order) {
                        figures.get(i)
                                .add(round(
                                        client, proxies.get(i), figures.get(i).name(), what));
                    }
                }
            }
            for (int i = 0; i < proxies.size(); i++) {
                figures.get(i)
                        .set(footprint(client, proxies.get(i), figures.get(i).name()));
            }
        } finally {
            proxies.forEach(ProxyProcess::close);
        }
        return figures;
    }

    private void warm(OriginClient client, ProxyProcess proxy, String name) throws IOException, InterruptedException {
        log.println("warming " + name);
        for (Case what : Case.values()) {
            client.verify(proxy, what);
        }
        for (Case what : Case.values()) {
            load.run(proxy.port(), what, what == Case.SMALL_GET ? warmMillis / 2 : warmMillis / 4);
        }
    }

    private ProxyFigures.Round round(OriginClient client, ProxyProcess proxy, String name, Case what)
            throws IOException, InterruptedException {
        client.verify(proxy, what);
        OriginClient.Counts before = client.counts();
        double cpu = proxy.cpuMicros();
        Load.Result result = load.run(proxy.port(), what, roundMillis);
        double cpuMicros = (proxy.cpuMicros() - cpu) / result.requests();
        OriginClient.Counts after = client.counts();
        boolean whole = result.requests() > 0
                && result.bytes() >= result.requests() * what.answerBytes()
                && after.requests() - before.requests() >= result.requests()
                && after.uploaded() - before.uploaded() >= result.requests() * what.requestBytes();
        if (!whole) {
            throw new IOException(name + " gave answers to a " + what.title()
                    + " that were not whole, or not the server's: " + result + ", " + before + ", " + after);
        }
        log.printf(
                Locale.ROOT,
                "%s, %s: %,.0f requests/s, cpu %.1f us, p50 %.0f us, p99 %.0f us%n",
                name,
                what.title(),
                result.requests() / result.seconds(),
                cpuMicros,
                result.p50Micros(),
                result.p99Micros());
        return new ProxyFigures.Round(what, result, cpuMicros);
    }

    private ProxyFigures.Footprint footprint(OriginClient client, ProxyProcess proxy, String name)
            throws IOException, InterruptedException {
        long heap = proxy.heapKib();
        long resident = proxy.residentKib();
        long idleHeap;
        long idleResident;
        try (OpenConnections idle = OpenConnections.open(proxy.port(), IDLE)) {
            idle.askEach(Case.SMALL_GET.path());
            idleHeap = proxy.heapKib() - heap;
            idleResident = proxy.residentKib() - resident;
        }
        long threads = proxy.threads();
        long awaited;
        long awaitedThreads;
        try (OpenConnections waiting = OpenConnections.open(proxy.port(), AWAITED)) {
            // One after the other, since a burst makes a pool grow that needs no thread to wait.
            waiting.send("/wait");
            awaited = settled(client);
            awaitedThreads = proxy.threads() - threads;
            while (client.counts().waiting() > 0) {
                client.release();
                settled(client);
            }
            waiting.readEach();
        }
        log.printf(
                Locale.ROOT,
                "%s: %,d KiB resident, %,d KiB of heap, %d B of heap an idle connection, %+d threads for %d awaited%n",
                name,
                resident,
                heap,
                idleHeap * 1024 / IDLE,
                awaitedThreads,
                awaited);
        return new ProxyFigures.Footprint(
                resident, heap, idleResident * 1024 / IDLE, idleHeap * 1024 / IDLE, threads, awaited, awaitedThreads);
    }

    /** How many requests the server has before it, once that has not changed for half a second. */
    private static long settled(OriginClient client) throws IOException, InterruptedException {
        long before = -1;
        long now = client.counts().waiting();
        while (now != before) {
            Thread.sleep(500);
            before = now;
            now = client.counts().waiting();
        }
        return now;
    }
}
