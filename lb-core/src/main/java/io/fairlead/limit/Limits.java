package io.fairlead.limit;

import io.fairlead.Ticker;
import java.time.Duration;
import java.util.Objects;

/**
 * How many requests may be under way at a time, at each server of a service and at all of them together, and how many
 * may wait for a place.
 *
 * <p>Immutable; equal by value. Every {@code with} method gives a copy with one option changed, and throws
 * {@link IllegalArgumentException} where the value is outside of its range.
 */
public final class Limits {
    /** No limit; nobody waits; who would may wait for 1 s. */
    public static final Limits NONE = new Limits(0, 0, 0, Duration.ofSeconds(1));

    private static final int MAX_QUEUE = 1_000_000;

    private final int maxInFlightPerServer;
    private final int maxInFlight;
    private final int queue;
    private final Duration queueTimeout;

    private Limits(int maxInFlightPerServer, int maxInFlight, int queue, Duration queueTimeout) {
        this.maxInFlightPerServer = maxInFlightPerServer;
        this.maxInFlight = maxInFlight;
        this.queue = queue;
        this.queueTimeout = queueTimeout;
    }

    /** Requests under way at one server at most; 0: no limit. */
    public int maxInFlightPerServer() {
        return maxInFlightPerServer;
    }

    /** Requests under way at all servers of the service at most; 0: no limit. */
    public int maxInFlight() {
        return maxInFlight;
    }

    /** Requests that may wait for a place; 0: one that finds none is refused at once. */
    public int queue() {
        return queue;
    }

    /** How long a request may wait. */
    public Duration queueTimeout() {
        return queueTimeout;
    }

    /** With another limit of each server; 0: none. */
    public Limits withMaxInFlightPerServer(int requests) {
        return new Limits(notNegative(requests, "maxInFlightPerServer"), maxInFlight, queue, queueTimeout);
    }

    /** With another limit of the service; 0: none. */
    public Limits withMaxInFlight(int requests) {
        return new Limits(maxInFlightPerServer, notNegative(requests, "maxInFlight"), queue, queueTimeout);
    }

    /** With another number of requests that may wait, 0 to 1,000,000. */
    public Limits withQueue(int requests) {
        if (requests < 0 || requests > MAX_QUEUE) {
            throw new IllegalArgumentException("queue must be from 0 to " + MAX_QUEUE + ", not " + requests);
        }
        return new Limits(maxInFlightPerServer, maxInFlight, requests, queueTimeout);
    }

    /** With another time that a request may wait, more than zero. */
    public Limits withQueueTimeout(Duration time) {
        if (time.isZero() || time.isNegative()) {
            throw new IllegalArgumentException("queueTimeout must be more than zero");
        }
        return new Limits(maxInFlightPerServer, maxInFlight, queue, Ticker.bounded(time));
    }

    private static int notNegative(int number, String option) {
        if (number < 0) {
            throw new IllegalArgumentException(option + " must be at least 0, not " + number);
        }
        return number;
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof Limits)) {
            return false;
        }
        Limits that = (Limits) other;
        return maxInFlightPerServer == that.maxInFlightPerServer
                && maxInFlight == that.maxInFlight
                && queue == that.queue
                && queueTimeout.equals(that.queueTimeout);
    }

    @Override
    public int hashCode() {
        return Objects.hash(maxInFlightPerServer, maxInFlight, queue, queueTimeout);
    }

    @Override
    public String toString() {
        return "Limits{maxInFlightPerServer=" + maxInFlightPerServer + ", maxInFlight=" + maxInFlight + ", queue="
                + queue + ", queueTimeout=" + queueTimeout + "}";
    }
}
