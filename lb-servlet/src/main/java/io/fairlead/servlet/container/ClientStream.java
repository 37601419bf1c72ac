package io.fairlead.servlet.container;

import jakarta.servlet.ServletRequest;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The stream behind a request over HTTP/2, as far as Jetty and Tomcat let it be seen. */
final class ClientStream {
    private static final Logger log = LoggerFactory.getLogger(ClientStream.class);

    private final Object seenOn;
    private final Method look;
    private final Object[] arguments;
    private final @Nullable Method isInputAtEnd;

    /**
     * @param look gives null, or false, when the stream is gone
     * @param isInputAtEnd null: the container tells of it
     */
    private ClientStream(Object seenOn, Method look, @Nullable Method isInputAtEnd, Object... arguments) {
        this.seenOn = seenOn;
        this.look = look;
        this.isInputAtEnd = isInputAtEnd;
        this.arguments = arguments;
    }

    /** The stream of a request that is not over; null where it has none, or the container keeps it to itself. */
    static @Nullable ClientStream of(ServletRequest request) {
        ServletRequest own = Internals.own(request);
        try {
            if (own.getProtocol().startsWith("HTTP/2")) {
                if (Internals.isOfJetty(own)) {
                    return ofJetty(own);
                }
                if (Internals.isOfTomcat(own)) {
                    return ofTomcat(own);
                }
            }
        } catch (ReflectiveOperationException | RuntimeException e) {
            log.debug("the stream of a request cannot be reached", e);
        }
        return null;
    }

    private static ClientStream ofJetty(Object request) throws ReflectiveOperationException {
        Object session = Internals.jettysHttp2Session(request);
        Class<?> type = Internals.named("org.eclipse.jetty.http2.api.Session", session);
        return new ClientStream(
                session, type.getMethod("getStream", int.class), null, Internals.jettysStreamId(request));
    }

    private static ClientStream ofTomcat(Object facade) throws ReflectiveOperationException {
        Object stream = Internals.field(
                Internals.tomcatsProcessor(facade), "org.apache.coyote.http2.StreamProcessor", "stream");
        return new ClientStream(stream, tomcats("canWrite", stream), tomcats("isInputFinished", stream));
    }

    private static Method tomcats(String question, Object stream) throws ReflectiveOperationException {
        Method method =
                Internals.named("org.apache.coyote.http2.Stream", stream).getDeclaredMethod(question);
        method.setAccessible(true);
        return method;
    }

    /**
     * Whether the request has ended, and the container may have told nobody: Tomcat wakes up who waits for more of a body
     * by the next piece of it, and not by trailers.
     */
    boolean isInputAtEnd() {
        try {
            return isInputAtEnd != null && Boolean.TRUE.equals(isInputAtEnd.invoke(seenOn));
        } catch (IllegalAccessException | InvocationTargetException e) {
            log.debug("the stream of a request cannot be looked at", e);
            return false;
        }
    }

    /** Whether nothing more can be sent by it: it has been reset, or has ended. */
    boolean isGone() {
        try {
            Object seen = look.invoke(seenOn, arguments);
            return seen == null || seen.equals(false);
        } catch (IllegalAccessException | InvocationTargetException e) {
            log.debug("the stream of a request cannot be looked at", e);
            return false;
        }
    }
}
