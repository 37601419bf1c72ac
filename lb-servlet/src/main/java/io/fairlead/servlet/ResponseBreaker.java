package io.fairlead.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.EnumSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends a response that has begun so that the client sees it broken: the connection is closed (HTTP/1.1) or reset
 * (HTTP/1.0), or the stream reset (HTTP/2), never the body ended as if it were whole. The Servlet API has no word for it,
 * so there are three ways, the best that the container has:
 *
 * <ol>
 *   <li>Jetty: {@code sendError(-1)}.
 *   <li>A dispatch back to the filter, which throws: containers close the connection when a request fails after its
 *       response began. The filter adds itself to asynchronous dispatches for that.
 *   <li>Where it could not: a time limit of the asynchronous request that runs out at once, which containers take for
 *       such a failure as well.
 * </ol>
 */
final class ResponseBreaker {
    private static final Logger log = LoggerFactory.getLogger(ProxyFilter.class);
    private static final String BROKEN = ResponseBreaker.class.getName() + ".broken";

    private static final String LATER = ResponseBreaker.class.getName() + ".later";

    private enum Way {
        JETTY,
        DISPATCH,
        TIME_LIMIT
    }

    private final Way way;

    private ResponseBreaker(Way way) {
        this.way = way;
    }

    /** The way of the container that the filter is being initialised in. */
    static ResponseBreaker of(FilterConfig config) {
        String server = config.getServletContext().getServerInfo();
        if (server != null && server.startsWith("jetty/")) {
            return new ResponseBreaker(Way.JETTY);
        }
        return new ResponseBreaker(joinAsyncDispatches(config) ? Way.DISPATCH : Way.TIME_LIMIT);
    }

    private static boolean joinAsyncDispatches(FilterConfig config) {
        try {
            FilterRegistration own = config.getServletContext().getFilterRegistration(config.getFilterName());
            if (own == null) {
                return false;
            }
            own.addMappingForUrlPatterns(EnumSet.of(DispatcherType.ASYNC), false, "/*");
            return true;
        } catch (IllegalStateException | UnsupportedOperationException e) {
            // The context is not in its initialisation any more, or was made by a listener that may not do this.
            return false;
        }
    }

    /**
     * A request is going to be answered later. Tomcat may run the filters once more for one whose client broke off, where
     * the answer to that comes between two of its looks.
     */
    void answersLater(HttpServletRequest request) {
        if (way != Way.JETTY) {
            request.setAttribute(LATER, true);
        }
    }

    /** Whether a request has been here before, and is not to be handled again. */
    boolean isAnsweredLater(HttpServletRequest request) {
        return way != Way.JETTY && request.getAttribute(LATER) != null;
    }

    /** Whether the container takes no notice; others log what looks to them like a failure of the filter. */
    boolean isQuiet() {
        return way == Way.JETTY;
    }

    /**
     * Breaks the response off by the container's way; where that fails, since the container is not what it seems or the
     * request is wrapped, by the next one that does not.
     */
    void breakOff(AsyncContext context, HttpServletRequest request, HttpServletResponse response) {
        if (tryTo(way, context, request, response)) {
            return;
        }
        for (Way other : Way.values()) {
            // Where the filter has not joined the dispatches, one would end in whatever stands behind it.
            if (other != way && other != Way.DISPATCH && tryTo(other, context, request, response)) {
                return;
            }
        }
        try {
            context.complete();
            log.error("an answer that the server broke off was ended as if it were whole: this container has no way to"
                    + " break one off");
        } catch (RuntimeException e) {
            log.debug("the request had been ended by the container", e);
        }
    }

    private static boolean tryTo(
            Way way, AsyncContext context, HttpServletRequest request, HttpServletResponse response) {
        try {
            switch (way) {
                case JETTY -> {
                    response.sendError(-1);
                    context.complete();
                }
                case DISPATCH -> {
                    request.setAttribute(BROKEN, true);
                    context.dispatch();
                }
                case TIME_LIMIT -> context.setTimeout(1);
            }
            return true;
        } catch (IOException | RuntimeException e) {
            log.debug("a response could not be broken off by {}", way, e);
            return false;
        }
    }

    /** What the filter throws in the dispatch that breaks a response off; null in every other. */
    static @Nullable IOException toThrow(HttpServletRequest request) {
        return request.getDispatcherType() == DispatcherType.ASYNC && request.getAttribute(BROKEN) != null
                ? new BrokenOffException()
                : null;
    }

    /** Without a stack, which would only fill the container's log. */
    private static final class BrokenOffException extends IOException {
        private static final long serialVersionUID = 1L;

        private BrokenOffException() {
            super("the server broke off in the middle of its answer");
        }

        @Override
        public synchronized Throwable fillInStackTrace() {
            return this;
        }
    }
}
