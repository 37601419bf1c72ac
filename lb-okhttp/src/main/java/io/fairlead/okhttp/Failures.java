package io.fairlead.okhttp;

import io.fairlead.Outcome;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ProtocolException;
import java.net.SocketTimeoutException;
import java.net.UnknownServiceException;
import org.jspecify.annotations.Nullable;

/** What an exception of OkHttp says about the server, where the exception is all that is known. */
final class Failures {
    private Failures() {}

    /** A failure before the head of an answer, of which it is not known how far the request had come. */
    static Outcome beforeHead(IOException e) {
        if (isOurs(e)
                || e instanceof FileNotFoundException // That of a request body.
                || (e instanceof ProtocolException && message(e).startsWith("Too many follow-up requests"))) {
            return Outcome.cancelled();
        }
        return wasRefused(e) ? Outcome.stale() : Outcome.failure(e);
    }

    /** A failure after the head of an answer. */
    static Outcome whileReading(IOException e) {
        if (isOurs(e)) {
            return Outcome.cancelled();
        }
        return e instanceof SocketTimeoutException ? Outcome.timedOut(e) : Outcome.broken(e);
    }

    /**
     * Whether an HTTP/2 server has said that it did nothing for the request (RFC 9113, section 8.7), or OkHttp that its
     * connection was shut down before. Known by name, since the classes are OkHttp's own affair.
     */
    static boolean wasRefused(IOException e) {
        switch (e.getClass().getName()) {
            case "okhttp3.internal.http2.ConnectionShutdownException":
                return true;
            case "okhttp3.internal.http2.StreamResetException":
                return message(e).endsWith("REFUSED_STREAM");
            default:
                return false;
        }
    }

    /** Whether an HTTP/2 connection that failed so takes no further request. */
    static boolean endsConnection(IOException e) {
        switch (e.getClass().getName()) {
            case "okhttp3.internal.http2.ConnectionShutdownException":
                return true;
            case "okhttp3.internal.http2.StreamResetException":
                return !message(e).endsWith("REFUSED_STREAM");
            default:
                return false;
        }
    }

    /** Whether the caller's side is the cause: its thread was interrupted, or its client forbids such a connection. */
    static boolean isOurs(IOException e) {
        return (e instanceof InterruptedIOException && !(e instanceof SocketTimeoutException))
                || e instanceof UnknownServiceException;
    }

    private static String message(IOException e) {
        @Nullable String message = e.getMessage();
        return message == null ? "" : message;
    }
}
