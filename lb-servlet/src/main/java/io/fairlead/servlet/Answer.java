package io.fairlead.servlet;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * An answer of the proxy's own, as {@code application/problem+json} (RFC 9457): what went wrong and for which service,
 * and nothing of the inside.
 *
 * @param status the HTTP status
 * @param title one short sentence
 * @param retryAfterSeconds for {@code Retry-After}; 0 where it is not known
 */
record Answer(int status, String title, int retryAfterSeconds) {
    static final Answer BAD_PATH = new Answer(400, "The path of the request leaves its route");
    static final Answer BAD_TARGET = new Answer(400, "The target of the request is malformed");
    static final Answer BAD_FRAMING = new Answer(400, "The request has both Content-Length and Transfer-Encoding");
    static final Answer BAD_BODY = new Answer(400, "The body of the request could not be read");
    static final Answer SLOW_BODY = new Answer(408, "The body of the request took too long");
    static final Answer BROKEN = new Answer(502, "The service did not answer");
    static final Answer NO_SERVER = new Answer(503, "No server of the service is available");
    static final Answer OVERLOADED = new Answer(503, "The service has too many requests waiting", 1);
    static final Answer TIMED_OUT = new Answer(504, "The service took too long");

    Answer(int status, String title) {
        this(status, title, 0);
    }

    /**
     * Writes the whole answer; what stood in the response before is gone.
     *
     * @param service the name of the service, null where none is known
     * @throws IOException the client is gone
     */
    void writeTo(HttpServletResponse response, @Nullable String service) throws IOException {
        byte[] body = json(service).getBytes(StandardCharsets.UTF_8);
        response.reset();
        response.setStatus(status);
        response.setHeader("Content-Type", "application/problem+json");
        response.setHeader("Cache-Control", "no-store");
        if (retryAfterSeconds > 0) {
            response.setHeader("Retry-After", Integer.toString(retryAfterSeconds));
        }
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
        // At once, since a container may close the connection of a request whose body it could not read.
        response.flushBuffer();
    }

    private String json(@Nullable String service) {
        StringBuilder json = new StringBuilder("{\"title\":");
        quote(json, title).append(",\"status\":").append(status);
        if (service != null) {
            quote(json.append(",\"service\":"), service);
        }
        return json.append('}').toString();
    }

    private static StringBuilder quote(StringBuilder json, String text) {
        json.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else if (c < ' ') {
                json.append(String.format("\\u%04x", (int) c));
            } else {
                json.append(c);
            }
        }
        return json.append('"');
    }
}
