package io.fairlead.gateway;

import io.fairlead.servlet.container.StreamEnd;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/**
 * What stands behind the filter: nothing, for any method. The answer goes into the response's buffer and is sent when the
 * request has been handled; {@code sendError} would wait until the client has taken it.
 */
final class NotFound extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setStatus(HttpServletResponse.SC_NOT_FOUND);
        response.setHeader("Content-Type", Problems.TYPE);
        response.setHeader("Cache-Control", "no-store");
        // The client may be sending its body still, and would lose the answer by a stream that is cancelled.
        StreamEnd.withoutError(request);
        response.getOutputStream().write(Problems.json(HttpServletResponse.SC_NOT_FOUND));
    }
}
