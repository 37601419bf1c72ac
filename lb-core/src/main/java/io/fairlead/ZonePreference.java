package io.fairlead;

import java.util.Objects;

/**
 * The zone whose servers are preferred. While at least {@link #minHealthyPercent()} of the own zone's servers are
 * healthy, they get every request; below, they get the share of the requests that their healthy share is of that limit,
 * and the other zones' servers get the rest: with a limit of 70 % and 35 % healthy, one half each.
 *
 * <p>Immutable; equal by value. Every {@code with} method gives a copy with one option changed, and throws
 * {@link IllegalArgumentException} where the value is outside of its range.
 */
public final class ZonePreference {
    /** The share that has to be healthy where nothing else is said, in percent. */
    public static final int DEFAULT_MIN_HEALTHY_PERCENT = 70;

    private final String own;
    private final int minHealthyPercent;

    private ZonePreference(String own, int minHealthyPercent) {
        this.own = own;
        this.minHealthyPercent = minHealthyPercent;
    }

    /**
     * Prefers servers whose {@link Endpoint#zone()} is this one, while 70 % of them are healthy.
     *
     * @throws IllegalArgumentException the zone is empty
     */
    public static ZonePreference of(String own) {
        if (own.isEmpty()) {
            throw new IllegalArgumentException("the own zone is empty");
        }
        return new ZonePreference(own, DEFAULT_MIN_HEALTHY_PERCENT);
    }

    /** The zone that requests come from. */
    public String own() {
        return own;
    }

    /** The share of the own zone's servers that has to be healthy for them to get every request, in percent. */
    public int minHealthyPercent() {
        return minHealthyPercent;
    }

    /** This preference with another {@link #minHealthyPercent()}, from 1 to 100. */
    public ZonePreference withMinHealthyPercent(int percent) {
        if (percent < 1 || percent > 100) {
            throw new IllegalArgumentException("minHealthyPercent must be from 1 to 100, not " + percent);
        }
        return new ZonePreference(own, percent);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ZonePreference
                && own.equals(((ZonePreference) other).own)
                && minHealthyPercent == ((ZonePreference) other).minHealthyPercent;
    }

    @Override
    public int hashCode() {
        return Objects.hash(own, minHealthyPercent);
    }

    @Override
    public String toString() {
        return "ZonePreference{" + own + ", at least " + minHealthyPercent + " % healthy}";
    }
}
