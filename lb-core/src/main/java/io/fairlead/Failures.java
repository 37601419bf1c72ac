package io.fairlead;

import io.fairlead.Outcome.Kind;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.PortUnreachableException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;

/** What exceptions of the JDK and its HTTP clients say of how far a request came. */
final class Failures {
    private Failures() {}

    static Kind kindOf(Throwable cause) {
        if (cause instanceof ConnectException
                || cause instanceof NoRouteToHostException
                || cause instanceof PortUnreachableException
                || cause instanceof UnknownHostException
                || cause instanceof SSLHandshakeException
                || cause instanceof SSLPeerUnverifiedException
                || isA(cause, "java.net.http.HttpConnectTimeoutException")) {
            return Kind.CONNECT_FAILED;
        }
        if (cause instanceof SocketTimeoutException) {
            // One class for both limits; the JDK and its clients tell them apart in the message only.
            return says(cause, "connect") ? Kind.CONNECT_FAILED : Kind.TIMED_OUT;
        }
        if (cause instanceof TimeoutException || isA(cause, "java.net.http.HttpTimeoutException")) {
            return Kind.TIMED_OUT;
        }
        if (cause instanceof InterruptedIOException) {
            // OkHttp's limit of a whole call is of this class too.
            return says(cause, "timeout") ? Kind.TIMED_OUT : Kind.CANCELLED;
        }
        return cause instanceof CancellationException || cause instanceof InterruptedException
                ? Kind.CANCELLED
                : Kind.BROKEN;
    }

    private static boolean says(Throwable cause, String word) {
        String message = cause.getMessage();
        return message != null && message.toLowerCase(Locale.ROOT).contains(word);
    }

    /** By name, since Java 8 does not have these classes. */
    private static boolean isA(Throwable cause, String className) {
        for (Class<?> type = cause.getClass(); type != null; type = type.getSuperclass()) {
            if (type.getName().equals(className)) {
                return true;
            }
        }
        return false;
    }
}
