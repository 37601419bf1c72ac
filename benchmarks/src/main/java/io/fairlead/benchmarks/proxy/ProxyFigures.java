package io.fairlead.benchmarks.proxy;

import java.util.ArrayList;
import java.util.List;

/**
 * What was measured of one proxy; filled by the thread that measures.
 */
final class ProxyFigures {
    private final String name;
    private final List<Round> rounds = new ArrayList<>();
    private Footprint footprint = Footprint.NONE;

    ProxyFigures(String name) {
        this.name = name;
    }

    /**
     * One round of one case.
     *
     * @param what the case
     * @param load what the load saw
     * @param cpuMicros processor time of the proxy for each request
     */
    record Round(Case what, Load.Result load, double cpuMicros) {}

    /**
     * Memory and threads, after the load.
     *
     * @param residentKib resident memory
     * @param heapKib used of the heap after a collection; -1: no heap
     * @param idleResidentBytes resident memory that each of 1,000 idle connections adds
     * @param idleHeapBytes heap that it adds
     * @param threads before
     * @param awaited answers that the server owed, of 500
     * @param awaitedThreads threads beyond those meanwhile
     */
    record Footprint(
            long residentKib,
            long heapKib,
            long idleResidentBytes,
            long idleHeapBytes,
            long threads,
            long awaited,
            long awaitedThreads) {
        static final Footprint NONE = new Footprint(0, -1, 0, 0, 0, 0, 0);
    }

    String name() {
        return name;
    }

    void add(Round round) {
        rounds.add(round);
    }

    void set(Footprint measured) {
        footprint = measured;
    }

    Footprint footprint() {
        return footprint;
    }

    /** Processor time a request: that of the median round. */
    double cpuMicros(Case what) {
        return median(rounds.stream()
                .filter(round -> round.what() == what)
                .mapToDouble(Round::cpuMicros)
                .sorted()
                .toArray());
    }

    double requestsPerSecond(Case what) {
        return median(rounds.stream()
                .filter(round -> round.what() == what)
                .mapToDouble(round -> round.load().requests() / round.load().seconds())
                .sorted()
                .toArray());
    }

    double p50Micros(Case what) {
        return median(rounds.stream()
                .filter(round -> round.what() == what)
                .mapToDouble(round -> round.load().p50Micros())
                .sorted()
                .toArray());
    }

    double p99Micros(Case what) {
        return median(rounds.stream()
                .filter(round -> round.what() == what)
                .mapToDouble(round -> round.load().p99Micros())
                .sorted()
                .toArray());
    }

    private static double median(double[] sorted) {
        return sorted.length == 0 ? Double.NaN : sorted[sorted.length / 2];
    }
}
