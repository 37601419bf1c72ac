package io.fairlead.servlet.container;

import jakarta.servlet.ServletRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How large the head of an answer may be that a container sends: above that it breaks the connection off, or answers in
 * its own way, and often only when nobody can answer otherwise any more.
 */
public final class AnswerHeadLimit {
    /** Tomcat puts a field into one frame of HTTP/2, and a client need not take a larger one (RFC 9113, 6.5.2). */
    private static final int FRAME_BYTES = 16 * 1024;

    /** What containers add: Date, Server, Connection and the framing. */
    private static final int OWN_FIELDS = 256;

    private static final Logger log = LoggerFactory.getLogger(AnswerHeadLimit.class);

    private AnswerHeadLimit() {}

    /** In bytes, for one field; {@link Integer#MAX_VALUE} where none is known. */
    public static int ofField(ServletRequest request) {
        ServletRequest own = Internals.own(request);
        boolean inOneFrame = Internals.isOfTomcat(own) && request.getProtocol().startsWith("HTTP/2");
        return inOneFrame ? FRAME_BYTES - OWN_FIELDS : Integer.MAX_VALUE;
    }

    /** In bytes, for all fields of a server's answer; {@link Integer#MAX_VALUE} where none is known. */
    public static int of(ServletRequest request) {
        ServletRequest own = Internals.own(request);
        try {
            int limit = Integer.MAX_VALUE;
            if (Internals.isOfJetty(own)) {
                limit = ofJetty(own);
            } else if (Internals.isOfTomcat(own) && own.getProtocol().startsWith("HTTP/1.")) {
                limit = ofTomcat(own);
            }
            return limit <= 0 || limit == Integer.MAX_VALUE ? Integer.MAX_VALUE : Math.max(0, limit - OWN_FIELDS);
        } catch (ReflectiveOperationException | RuntimeException e) {
            log.debug("the container does not tell how large a head may be", e);
            return Integer.MAX_VALUE;
        }
    }

    private static int ofJetty(Object request) throws ReflectiveOperationException {
        Object configuration = Internals.call(
                Internals.jettysConnection(request),
                "org.eclipse.jetty.server.ConnectionMetaData",
                "getHttpConfiguration");
        return (Integer) Internals.call(configuration, configuration.getClass(), "getMaxResponseHeaderSize");
    }

    private static int ofTomcat(Object facade) throws ReflectiveOperationException {
        Object request = Internals.behindTomcatsFacade(facade);
        Object connector = Internals.call(request, "org.apache.catalina.connector.Request", "getConnector");
        Object limit = Internals.invoke(
                connector, connector.getClass().getMethod("getProperty", String.class), "maxHttpResponseHeaderSize");
        return Integer.parseInt(limit.toString());
    }
}
