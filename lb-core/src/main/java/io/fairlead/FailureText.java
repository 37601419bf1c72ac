package io.fairlead;

import java.io.EOFException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * What is shown of a failure: its kind and why, in one short line. HTTP clients like to put whole connections into the
 * messages of their exceptions, of which nobody who runs a gateway can make anything.
 */
final class FailureText {
    private static final int MAX_LENGTH = 160;
    private static final int MAX_CAUSES = 8;

    /** The name of an object by its hash, or its inside. */
    private static final Pattern DUMP = Pattern.compile("\\S@[0-9a-f]{3,}|[{}]|<->|\\w=\\S*,\\s*\\w+=");

    private static final Pattern SPACE = Pattern.compile("[\\s\\p{Cntrl}]+");

    private FailureText() {}

    static String of(Outcome outcome) {
        Throwable cause = outcome.cause();
        return outcome.kind()
                + (outcome.status() == 0 ? "" : " " + outcome.status())
                + (cause == null ? "" : ": " + why(cause));
    }

    private static String why(Throwable failure) {
        Throwable cause = failure;
        for (int i = 0; i < MAX_CAUSES; i++) {
            String said = said(cause);
            Throwable below = cause.getCause();
            if (said != null) {
                return said;
            }
            if (below == null || below == cause) {
                break;
            }
            cause = below;
        }
        return failure.getClass().getSimpleName();
    }

    /** In the words of this exception, or in those for its kind; null where it has none. */
    private static @Nullable String said(Throwable cause) {
        String message = plain(cause.getMessage());
        if (cause instanceof EOFException) {
            return "the server closed the connection";
        }
        if (cause instanceof ClosedChannelException) {
            return "the connection was closed";
        }
        if (cause instanceof UnknownHostException) {
            return message == null ? "unknown host" : "unknown host " + message;
        }
        if (cause instanceof SSLException) {
            return message == null ? "TLS failed" : "TLS: " + message;
        }
        if (message == null && (cause instanceof SocketTimeoutException || cause instanceof TimeoutException)) {
            return "timed out";
        }
        return message;
    }

    /** A message as one line that is not too long; null where it is none, or one that is not for people. */
    private static @Nullable String plain(@Nullable String message) {
        if (message == null || DUMP.matcher(message).find()) {
            return null;
        }
        String line = SPACE.matcher(message).replaceAll(" ").trim();
        if (line.isEmpty()) {
            return null;
        }
        return line.length() <= MAX_LENGTH ? line : line.substring(0, MAX_LENGTH) + "...";
    }
}
