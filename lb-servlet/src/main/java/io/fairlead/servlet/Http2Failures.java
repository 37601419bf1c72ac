package io.fairlead.servlet;

import org.eclipse.jetty.client.RetryableRequestException;
import org.eclipse.jetty.http2.ErrorCode;
import org.eclipse.jetty.http2.RetryableStreamException;

/** What the failure of an HTTP/2 stream says. */
final class Http2Failures {
    /** Jetty tells of a reset by the name of its code only. */
    private static final String REFUSED = ErrorCode.toString(ErrorCode.REFUSED_STREAM_ERROR.code, "");

    private Http2Failures() {}

    /**
     * Whether the server has said that it has not looked at the request: it refused the stream, or left it out when it
     * said that it is going away (RFC 9113, 8.7).
     */
    static boolean isUnprocessed(Throwable failure) {
        return failure instanceof RetryableRequestException
                // Where the server said so while the stream was being opened.
                || failure instanceof RetryableStreamException
                || REFUSED.equals(failure.getMessage());
    }
}
