package io.fairlead;

import org.jspecify.annotations.Nullable;

/**
 * How a try on one server ended, and what that teaches.
 *
 * <p>Immutable.
 */
public final class Outcome {
    /** The kinds of end. */
    public enum Kind {
        /** An answer came, whatever its status but 502, 503 and 504. */
        SUCCESS(false),
        /** An answer came, with status 502, 503 or 504: the server, or what stands behind it, cannot serve. */
        BAD_STATUS(true),
        /** No connection came about (refused, unreachable, timed out, TLS refused): nothing was sent. */
        CONNECT_FAILED(true),
        /** The connection broke before the whole answer was there. */
        BROKEN(true),
        /** A time limit ran out on a connection that stood. */
        TIMED_OUT(true),
        /**
         * A kept-alive connection turned out to have been closed by the server before the request was written. Nothing
         * was sent, and the server is not to blame: it teaches nothing.
         */
        STALE(false),
        /** The caller gave the request up: it teaches nothing. */
        CANCELLED(false);

        private final boolean failure;

        Kind(boolean failure) {
            this.failure = failure;
        }

        /** Whether this counts against the server. */
        public boolean isFailure() {
            return failure;
        }

        /** Whether it is certain that the server saw nothing of the request. */
        public boolean nothingSent() {
            return this == CONNECT_FAILED || this == STALE;
        }
    }

    private static final Outcome SUCCESS = new Outcome(Kind.SUCCESS, 0, null, false);
    private static final Outcome STALE = new Outcome(Kind.STALE, 0, null, false);
    private static final Outcome CANCELLED = new Outcome(Kind.CANCELLED, 0, null, false);

    private final Kind kind;
    private final int status;
    private final @Nullable Throwable cause;
    private final boolean onKeptAlive;

    private Outcome(Kind kind, int status, @Nullable Throwable cause, boolean onKeptAlive) {
        this.kind = kind;
        this.status = status;
        this.cause = cause;
        this.onKeptAlive = onKeptAlive;
    }

    /** The request was answered. */
    public static Outcome success() {
        return SUCCESS;
    }

    /** An answer came with this HTTP status: 502, 503 and 504 count against the server, the others for it. */
    public static Outcome status(int status) {
        if (status >= 502 && status <= 504) {
            return new Outcome(Kind.BAD_STATUS, status, null, false);
        }
        return status == 0 ? SUCCESS : new Outcome(Kind.SUCCESS, status, null, false);
    }

    /** No connection came about. */
    public static Outcome connectFailed(@Nullable Throwable cause) {
        return new Outcome(Kind.CONNECT_FAILED, 0, cause, false);
    }

    /** The connection broke. */
    public static Outcome broken(@Nullable Throwable cause) {
        return new Outcome(Kind.BROKEN, 0, cause, false);
    }

    /**
     * A connection broke that had carried a request before, and not a byte of an answer came: perhaps the server closed
     * it at the moment in which the request was written, and saw nothing of it.
     */
    public static Outcome brokenOnKeptAlive(@Nullable Throwable cause) {
        return new Outcome(Kind.BROKEN, 0, cause, true);
    }

    /** A time limit ran out. */
    public static Outcome timedOut(@Nullable Throwable cause) {
        return new Outcome(Kind.TIMED_OUT, 0, cause, false);
    }

    /** A kept-alive connection was closed before the request was written. */
    public static Outcome stale() {
        return STALE;
    }

    /** The caller gave up. */
    public static Outcome cancelled() {
        return CANCELLED;
    }

    /**
     * What an exception says: one that only connecting throws (a refusal, a failed TLS handshake, a time limit whose
     * message speaks of connecting) is {@link Kind#CONNECT_FAILED}, one of a time limit {@link Kind#TIMED_OUT}, one of an
     * interrupt or a cancel {@link Kind#CANCELLED}, any other {@link Kind#BROKEN}. An adapter that knows more says it by
     * the other methods.
     */
    public static Outcome failure(Throwable cause) {
        return new Outcome(Failures.kindOf(cause), 0, cause, false);
    }

    /** The kind of end. */
    public Kind kind() {
        return kind;
    }

    /** The HTTP status where one is known, else 0. */
    public int status() {
        return status;
    }

    /** The exception where there is one. */
    public @Nullable Throwable cause() {
        return cause;
    }

    /** Whether it is that of {@link #brokenOnKeptAlive}. */
    public boolean isOnKeptAlive() {
        return onKeptAlive;
    }

    @Override
    public String toString() {
        return kind + (status == 0 ? "" : " " + status) + (cause == null ? "" : " " + cause);
    }
}
