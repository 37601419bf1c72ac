package io.fairlead.strategy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A candidate whose figures a test sets. */
final class TestCandidate implements Candidate {
    private final String id;
    private final int weight;
    final AtomicInteger inFlight = new AtomicInteger();
    volatile long waitingSinceNanos;
    volatile double latencyNanos;
    final AtomicInteger recentFailures = new AtomicInteger();

    TestCandidate(String id, int weight) {
        this.id = id;
        this.weight = weight;
    }

    /** Candidates a, b, c ... of these weights. */
    static List<TestCandidate> of(int... weights) {
        List<TestCandidate> candidates = new ArrayList<>();
        for (int i = 0; i < weights.length; i++) {
            String id = weights.length <= 26 ? String.valueOf((char) ('a' + i)) : "10.0." + i / 250 + "." + i % 250;
            candidates.add(new TestCandidate(id, weights[i]));
        }
        return candidates;
    }

    /** So many candidates of weight 1. */
    static List<TestCandidate> equal(int count) {
        int[] weights = new int[count];
        Arrays.fill(weights, 1);
        return of(weights);
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public int weight() {
        return weight;
    }

    @Override
    public int inFlight() {
        return inFlight.get();
    }

    @Override
    public long waitingSinceNanos() {
        return waitingSinceNanos;
    }

    @Override
    public double latencyNanos(long now) {
        return latencyNanos;
    }

    @Override
    public int recentFailures() {
        return recentFailures.get();
    }

    @Override
    public String toString() {
        return id + "*" + weight;
    }
}
