package io.fairlead;

import io.fairlead.health.SlowStart;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which servers of a service a pick may go to, and with which part of their weight: slow start, panic, overflow between
 * priority levels, and the preferred zone.
 *
 * <p>Immutable; equal by value. Every {@code with} method gives a copy with one option changed, and throws
 * {@link IllegalArgumentException} where the value is outside of its range.
 */
public final class LevelOptions {
    /** No slow start, no panic, an overprovisioning factor of 140 %, no preferred zone. */
    public static final LevelOptions DEFAULT = new LevelOptions(null, 0, 140, null);

    private static final int MIN_FACTOR = 100;
    private static final int MAX_FACTOR = 1000;

    private final @Nullable SlowStart slowStart;
    private final int panicThreshold;
    private final int overprovisioningFactor;
    private final @Nullable ZonePreference zones;

    private LevelOptions(
            @Nullable SlowStart slowStart,
            int panicThreshold,
            int overprovisioningFactor,
            @Nullable ZonePreference zones) {
        this.slowStart = slowStart;
        this.panicThreshold = panicThreshold;
        this.overprovisioningFactor = overprovisioningFactor;
        this.zones = zones;
    }

    /** How new and recovered servers come to their full weight; null, the default: at once. */
    public @Nullable SlowStart slowStart() {
        return slowStart;
    }

    /** These options with another {@link #slowStart()}; null: none. */
    public LevelOptions withSlowStart(@Nullable SlowStart start) {
        return new LevelOptions(start, panicThreshold, overprovisioningFactor, zones);
    }

    /** The share of a level's servers, in percent, below which their health is ignored; 0, the default: never. */
    public int panicThreshold() {
        return panicThreshold;
    }

    /** These options with another {@link #panicThreshold()}, from 0 to 100. */
    public LevelOptions withPanicThreshold(int percent) {
        if (percent < 0 || percent > 100) {
            throw new IllegalArgumentException("panicThreshold must be from 0 to 100, not " + percent);
        }
        return new LevelOptions(slowStart, percent, overprovisioningFactor, zones);
    }

    /**
     * How much of the whole load, in percent, a priority level of which every server is healthy could carry; default 140:
     * a level begins to overflow into the next when fewer than 72 % of its servers are healthy.
     */
    public int overprovisioningFactor() {
        return overprovisioningFactor;
    }

    /** These options with another {@link #overprovisioningFactor()}, from 100 to 1000. */
    public LevelOptions withOverprovisioningFactor(int percent) {
        if (percent < MIN_FACTOR || percent > MAX_FACTOR) {
            throw new IllegalArgumentException("overprovisioningFactor must be from 100 to 1000, not " + percent);
        }
        return new LevelOptions(slowStart, panicThreshold, percent, zones);
    }

    /** The preferred zone; null, the default: zones are ignored. */
    public @Nullable ZonePreference zones() {
        return zones;
    }

    /** These options with another {@link #zones()}; null: zones are ignored. */
    public LevelOptions withZones(@Nullable ZonePreference preference) {
        return new LevelOptions(slowStart, panicThreshold, overprovisioningFactor, preference);
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof LevelOptions)) {
            return false;
        }
        LevelOptions that = (LevelOptions) other;
        return Objects.equals(slowStart, that.slowStart)
                && panicThreshold == that.panicThreshold
                && overprovisioningFactor == that.overprovisioningFactor
                && Objects.equals(zones, that.zones);
    }

    @Override
    public int hashCode() {
        return Objects.hash(slowStart, panicThreshold, overprovisioningFactor, zones);
    }

    @Override
    public String toString() {
        return "LevelOptions{slowStart=" + slowStart + ", panicThreshold=" + panicThreshold
                + ", overprovisioningFactor=" + overprovisioningFactor + ", zones=" + zones + "}";
    }
}
