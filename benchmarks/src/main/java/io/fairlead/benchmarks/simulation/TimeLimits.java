package io.fairlead.benchmarks.simulation;

import java.time.Duration;

/**
 * How long a try waits.
 *
 * @param connectNanos for a connection
 * @param responseNanos for an answer, from the beginning of the try
 */
record TimeLimits(long connectNanos, long responseNanos) {
    static TimeLimits of(Duration connect, Duration response) {
        return new TimeLimits(connect.toNanos(), response.toNanos());
    }
}
