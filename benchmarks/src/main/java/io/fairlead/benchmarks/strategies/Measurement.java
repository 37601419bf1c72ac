package io.fairlead.benchmarks.strategies;

import io.fairlead.benchmarks.Weighting;

/**
 * One figure of one subject.
 *
 * @param subject a name of {@link Catalogue}
 * @param servers how many there were
 * @param weights how they were weighted
 * @param threads how many threads picked at once
 * @param cpuNanos processor time a pick
 * @param wallNanos wall time a pick, of one thread
 * @param bytes allocated a pick, by the thread's own count within the loop
 * @param gcBytes allocated a pick, by JMH's {@code gc} profiler, what JMH allocates itself included
 */
record Measurement(
        String subject,
        int servers,
        Weighting weights,
        int threads,
        double cpuNanos,
        double wallNanos,
        double bytes,
        double gcBytes) {}
