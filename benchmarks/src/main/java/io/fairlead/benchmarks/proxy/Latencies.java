package io.fairlead.benchmarks.proxy;

import java.util.Arrays;

/** Times of answers, each kept in microseconds. */
final class Latencies {
    private int[] micros = new int[1 << 16];
    private int count;

    void add(long nanos) {
        if (count == micros.length) {
            micros = Arrays.copyOf(micros, 2 * count);
        }
        micros[count++] = (int) Math.min(Integer.MAX_VALUE, nanos / 1000);
    }

    long count() {
        return count;
    }

    /** By the nearest rank; 0 where nothing was measured. */
    double percentile(int percent) {
        if (count == 0) {
            return 0;
        }
        int[] sorted = Arrays.copyOf(micros, count);
        Arrays.sort(sorted);
        return sorted[Math.max(0, (int) Math.ceil(count * percent / 100.0) - 1)];
    }
}
