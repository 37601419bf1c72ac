package io.fairlead.servlet;

import java.io.EOFException;
import java.net.SocketException;
import java.nio.channels.ClosedChannelException;

/** Tells a client that has gone in the middle of its request from one that has sent something wrong. */
final class ClientGone {
    private static final int MAX_CAUSES = 8;

    private ClientGone() {}

    /** Whether this failure of a body, as containers tell of it, means that its client sends no more. */
    static boolean isToldBy(Throwable failure) {
        Throwable cause = failure;
        for (int i = 0; i < MAX_CAUSES && cause != null; i++) {
            if ((cause instanceof EOFException && !isOfJettysForBadChunks(cause))
                    || cause instanceof ClosedChannelException
                    || cause instanceof SocketException
                    // Tomcat's, whose classes need not be there; what it finds malformed it tells by another.
                    || cause.getClass().getSimpleName().equals("ClientAbortException")) {
                return true;
            }
            cause = cause.getCause();
        }
        return false;
    }

    /** Jetty has the same exception, and the same words, for a chunk that is malformed: it differs in where it was made. */
    private static boolean isOfJettysForBadChunks(Throwable cause) {
        for (StackTraceElement frame : cause.getStackTrace()) {
            if (frame.getMethodName().equals("badMessage")
                    && frame.getClassName().endsWith(".HttpParser")) {
                return true;
            }
        }
        return false;
    }
}
