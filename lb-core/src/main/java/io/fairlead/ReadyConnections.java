package io.fairlead;

import java.time.Duration;
import java.util.Objects;

/**
 * How a client keeps one connection to each server ready, so that the first request to it, or the first after a pause,
 * does not wait for connecting and TLS: a server that had no request for a while is sent a {@code HEAD}, whose answer is
 * thrown away.
 *
 * <p>Immutable; equal by value.
 */
public final class ReadyConnections {
    /** {@code HEAD /} after 15 s. */
    public static final ReadyConnections DEFAULT = new ReadyConnections("/", Duration.ofSeconds(15));

    private static final Duration LEAST = Duration.ofMillis(10);

    private final String path;
    private final Duration interval;

    private ReadyConnections(String path, Duration interval) {
        this.path = path;
        this.interval = interval;
    }

    /**
     * Another path and interval.
     *
     * @param path begins with a slash; a query may follow
     * @param interval shorter than the servers keep an unused connection; 10 ms or more
     * @throws IllegalArgumentException the path or the interval is not of that kind
     */
    public static ReadyConnections of(String path, Duration interval) {
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException("path '" + path + "' does not begin with a slash");
        }
        if (interval.compareTo(LEAST) < 0) {
            throw new IllegalArgumentException("interval " + interval + " is below 10 ms");
        }
        return new ReadyConnections(path, Ticker.bounded(interval));
    }

    /** What is asked for. */
    public String path() {
        return path;
    }

    /** How long a server may have been without a request before it is sent one. */
    public Duration interval() {
        return interval;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ReadyConnections
                && path.equals(((ReadyConnections) other).path)
                && interval.equals(((ReadyConnections) other).interval);
    }

    @Override
    public int hashCode() {
        return Objects.hash(path, interval);
    }

    @Override
    public String toString() {
        return "a connection ready by HEAD " + path + " every " + interval;
    }
}
