package io.fairlead.gateway;

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
        response.getOutputStream().write(Problems.json(HttpServletResponse.SC_NOT_FOUND));
    }
}
