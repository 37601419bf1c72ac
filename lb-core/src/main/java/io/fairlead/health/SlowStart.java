package io.fairlead.health;

import java.time.Duration;
import java.util.Objects;

/**
 * How a server that has become usable comes to its full share of the requests: its weight is
 * {@code weight * max(minWeightPercent %, (age / duration)^(1 / aggression))}, after Envoy's slow start, the age being
 * the time since it became usable.
 *
 * <p>Immutable; equal by value. Every {@code with} method gives a copy with one option changed, and throws
 * {@link IllegalArgumentException} where the value is outside of its range.
 */
public final class SlowStart {
    private static final double MIN_AGGRESSION = 0.1;
    private static final double MAX_AGGRESSION = 10;

    private final Duration duration;
    private final double aggression;
    private final int minWeightPercent;

    private SlowStart(Duration duration, double aggression, int minWeightPercent) {
        this.duration = duration;
        this.aggression = aggression;
        this.minWeightPercent = minWeightPercent;
    }

    /**
     * A start of this length, with an aggression of 1 from 10 % on.
     *
     * @throws IllegalArgumentException the duration is not more than zero
     */
    public static SlowStart of(Duration duration) {
        return new SlowStart(HealthCheck.positive(duration, "slowStart"), 1, 10);
    }

    /** How long a server takes to its full weight; more than zero. */
    public Duration duration() {
        return duration;
    }

    /** The form of the way up: 1, the default, is a straight line; more is faster at first, less is slower at first. */
    public double aggression() {
        return aggression;
    }

    /** This start with another {@link #aggression()}, from 0.1 to 10. */
    public SlowStart withAggression(double other) {
        if (!(other >= MIN_AGGRESSION && other <= MAX_AGGRESSION)) {
            throw new IllegalArgumentException("aggression " + other + " is not between 0.1 and 10");
        }
        return new SlowStart(duration, other, minWeightPercent);
    }

    /** The share of its weight that a server begins with, in percent; default 10. */
    public int minWeightPercent() {
        return minWeightPercent;
    }

    /** This start with another {@link #minWeightPercent()}, from 1 to 100. */
    public SlowStart withMinWeightPercent(int percent) {
        if (percent < 1 || percent > 100) {
            throw new IllegalArgumentException("minWeightPercent must be from 1 to 100, not " + percent);
        }
        return new SlowStart(duration, aggression, percent);
    }

    /**
     * The share of its weight that a server has, from {@link #minWeightPercent()} to 1.
     *
     * @param ageNanos nanoseconds since it became usable
     */
    public double factor(long ageNanos) {
        long window = duration.toNanos();
        if (ageNanos >= window) {
            return 1;
        }
        double way = Math.max(0, ageNanos) / (double) window;
        return Math.max(minWeightPercent / 100.0, aggression == 1 ? way : Math.pow(way, 1 / aggression));
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof SlowStart)) {
            return false;
        }
        SlowStart that = (SlowStart) other;
        return duration.equals(that.duration)
                && Double.compare(aggression, that.aggression) == 0
                && minWeightPercent == that.minWeightPercent;
    }

    @Override
    public int hashCode() {
        return Objects.hash(duration, aggression, minWeightPercent);
    }

    @Override
    public String toString() {
        return "SlowStart{" + duration + ", aggression " + aggression + ", from " + minWeightPercent + " %}";
    }
}
