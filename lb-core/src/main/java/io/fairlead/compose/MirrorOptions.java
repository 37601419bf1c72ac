package io.fairlead.compose;

import io.fairlead.Ticker;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How copies for mirrors are made.
 *
 * <p>Immutable; equal by value.
 */
public final class MirrorOptions {
    /** Bodies of up to 1 MiB are copied; 100 copies of each mirror under way at a time, each for 10 s at the most. */
    public static final MirrorOptions DEFAULT = new MirrorOptions(true, 1 << 20, 100, Duration.ofSeconds(10));

    private static final Duration LEAST_TIMEOUT = Duration.ofMillis(1);

    private final boolean mirrorBody;
    private final int maxBodySize;
    private final int maxInFlight;
    private final Duration timeout;

    private MirrorOptions(boolean mirrorBody, int maxBodySize, int maxInFlight, Duration timeout) {
        this.mirrorBody = mirrorBody;
        this.maxBodySize = maxBodySize;
        this.maxInFlight = maxInFlight;
        this.timeout = timeout;
    }

    /** Whether bodies are copied; else every request is copied without its body, however long that is. */
    public boolean mirrorBody() {
        return mirrorBody;
    }

    /** How many bytes a body may have, else the request is not copied; -1: no limit. */
    public int maxBodySize() {
        return maxBodySize;
    }

    /** How many copies of one mirror may be under way; while there are so many, further ones are dropped. */
    public int maxInFlight() {
        return maxInFlight;
    }

    /** How long a copy may take. */
    public Duration timeout() {
        return timeout;
    }

    /** These options with another {@link #mirrorBody()}. */
    public MirrorOptions withMirrorBody(boolean copied) {
        return new MirrorOptions(copied, maxBodySize, maxInFlight, timeout);
    }

    /**
     * These options with another {@link #maxBodySize()}.
     *
     * @throws IllegalArgumentException it is below -1
     */
    public MirrorOptions withMaxBodySize(int bytes) {
        if (bytes < -1) {
            throw new IllegalArgumentException("must be at least -1");
        }
        return new MirrorOptions(mirrorBody, bytes, maxInFlight, timeout);
    }

    /**
     * These options with another {@link #maxInFlight()}.
     *
     * @throws IllegalArgumentException it is below 1
     */
    public MirrorOptions withMaxInFlight(int copies) {
        if (copies < 1) {
            throw new IllegalArgumentException("must be at least 1");
        }
        return new MirrorOptions(mirrorBody, maxBodySize, copies, timeout);
    }

    /**
     * These options with another {@link #timeout()}.
     *
     * @throws IllegalArgumentException it is less than a millisecond
     */
    public MirrorOptions withTimeout(Duration limit) {
        if (limit.compareTo(LEAST_TIMEOUT) < 0) {
            throw new IllegalArgumentException("must be at least 1ms");
        }
        return new MirrorOptions(mirrorBody, maxBodySize, maxInFlight, Ticker.bounded(limit));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        if (!(other instanceof MirrorOptions)) {
            return false;
        }
        MirrorOptions that = (MirrorOptions) other;
        return mirrorBody == that.mirrorBody
                && maxBodySize == that.maxBodySize
                && maxInFlight == that.maxInFlight
                && timeout.equals(that.timeout);
    }

    @Override
    public int hashCode() {
        return Objects.hash(mirrorBody, maxBodySize, maxInFlight, timeout);
    }

    @Override
    public String toString() {
        return "MirrorOptions{mirrorBody=" + mirrorBody + ", maxBodySize=" + maxBodySize + ", maxInFlight="
                + maxInFlight + ", timeout=" + timeout + "}";
    }
}
