package io.fairlead.servlet;

import io.fairlead.servlet.middleware.OwnAnswer;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * An answer of the proxy's own, as {@code application/problem+json} (RFC 9457): what went wrong and for which service,
 * and nothing of the inside.
 *
 * @param status the HTTP status
 * @param title one short sentence
 * @param retryAfterSeconds for {@code Retry-After}; 0 where it is not known
 * @param closes whether the connection of the client ends with it, since nobody can say where the next request begins
 */
record Answer(int status, String title, int retryAfterSeconds, boolean closes) {
    static final Answer BAD_PATH = new Answer(400, "The path of the request leaves its route");
    static final Answer BAD_TARGET = new Answer(400, "The target of the request is malformed");
    static final Answer BAD_FRAMING =
            new Answer(400, "The request has both Content-Length and Transfer-Encoding", 0, true);

    /** RFC 9112, 6.1. */
    static final Answer OLD_CODING = new Answer(400, "HTTP/1.0 has no Transfer-Encoding", 0, true);

    /** RFC 9113, 8.2.2. */
    static final Answer MISPLACED_CODING = new Answer(400, "HTTP/2 has no Transfer-Encoding");

    static final Answer BAD_BODY = new Answer(400, "The body of the request could not be read");
    static final Answer NOT_FORWARDED = new Answer(403, "The host is none of those that are forwarded to");
    static final Answer SLOW_BODY = new Answer(408, "The body of the request took too long");
    static final Answer TOO_LARGE = new Answer(413, "The body of the request is too large");
    static final Answer FAILED = new Answer(500, "The proxy failed");
    static final Answer NO_TUNNEL = new Answer(501, "The proxy opens no tunnels here");
    static final Answer UNKNOWN_CODING = new Answer(501, "The request has another transfer coding than chunked");
    static final Answer BROKEN = new Answer(502, "The service did not answer");
    static final Answer NO_SERVER = new Answer(503, "No server of the service is available");
    static final Answer STOPPING = new Answer(503, "The proxy is being stopped");
    static final Answer OVERLOADED = new Answer(503, "The service has too many requests waiting", 1, false);

    /** RFC 5842, 7.2. */
    static final Answer LOOP = new Answer(508, "The request has come back to the proxy time and again");

    static final Answer TIMED_OUT = new Answer(504, "The service took too long");

    Answer(int status, String title) {
        this(status, title, 0, false);
    }

    /**
     * The same with the time in which to come again.
     *
     * @param nanos negative: it is not known
     */
    Answer retryIn(long nanos) {
        return nanos < 0
                ? this
                : new Answer(
                        status,
                        title,
                        (int) Math.min(Integer.MAX_VALUE, Math.max(1, (nanos + 999_999_999) / 1_000_000_000)),
                        closes);
    }

    /** The answer as hooks see it. */
    OwnAnswer own() {
        OwnAnswer own = OwnAnswer.of(status, title);
        return retryAfterSeconds > 0 ? own.withField("Retry-After", Integer.toString(retryAfterSeconds)) : own;
    }

    /**
     * Writes the whole answer; what stood in the response before is gone.
     *
     * @param service the name of the service, null where none is known
     * @return how many bytes of a body the client is sent
     * @throws IOException the client is gone
     */
    int writeTo(HttpServletRequest request, HttpServletResponse response, @Nullable String service) throws IOException {
        Head head = Head.of(own(), request.getMethod(), service);
        if (closes) {
            head.closeAfterwards();
        }
        return head.writeTo(response, RequestBody.isPresent(request));
    }
}
