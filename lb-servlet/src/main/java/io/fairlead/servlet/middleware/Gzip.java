package io.fairlead.servlet.middleware;

/** Transforms of bodies in the gzip format (RFC 1952). */
public final class Gzip {
    private Gzip() {}

    /**
     * Packs a body.
     *
     * @param level from 1, the fastest, to 9, the smallest
     */
    public static BodyTransform encoder(int level) {
        return new GzipEncoder(level);
    }

    /** Unpacks a body of one or more members; one that is broken, or ends too early, is an {@link java.io.IOException}. */
    public static BodyTransform decoder() {
        return new GzipDecoder();
    }
}
