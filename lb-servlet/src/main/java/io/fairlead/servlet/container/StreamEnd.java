package io.fairlead.servlet.container;

import jakarta.servlet.ServletRequest;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The end of a stream of HTTP/2 whose request has been answered whole before its body was there. Jetty resets it with
 * CANCEL, and many clients lose the answer by that; here it is reset with NO_ERROR, as RFC 9113, 8.1, has it. Tomcat does
 * so by itself.
 */
public final class StreamEnd {
    private static final Logger log = LoggerFactory.getLogger(StreamEnd.class);
    private static final String HTTP2 = "org.eclipse.jetty.http2.";
    private static final int NO_ERROR = 0;

    private StreamEnd() {}

    /** Lets the client know that nothing is wrong, once the request has ended, unless its body has been read by then. */
    public static void withoutError(ServletRequest request) {
        ServletRequest own = Internals.own(request);
        if (!Internals.isOfJetty(own)) {
            return;
        }
        try {
            if (!own.getProtocol().startsWith("HTTP/2")) {
                return;
            }
            Object core = Internals.call(own, own.getClass(), "getRequest");
            Class<?> type = Internals.named("org.eclipse.jetty.server.Request", core);
            int id = Internals.jettysStreamId(own);
            Object session = Internals.jettysHttp2Session(own);
            UnaryOperator<Object> wrapper = stream -> wrapped(stream, session, id);
            type.getMethod("addHttpStreamWrapper", Function.class).invoke(core, wrapper);
        } catch (ReflectiveOperationException | RuntimeException e) {
            log.debug("Jetty does not let the end of its stream be changed", e);
        }
    }

    private static Object wrapped(Object stream, Object session, int id) {
        try {
            Class<?> type = Internals.named("org.eclipse.jetty.server.HttpStream", stream);
            return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                String name = method.getName();
                if (name.equals("succeeded") || name.equals("failed")) {
                    reset(session, id);
                }
                try {
                    return method.invoke(stream, arguments);
                } catch (InvocationTargetException e) {
                    throw e.getCause();
                }
            });
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Jetty's own reset comes too late after this one. */
    private static void reset(Object session, int id) {
        try {
            Class<?> streamType = Internals.named(HTTP2 + "HTTP2Stream", session);
            Object stream = Internals.named(HTTP2 + "api.Session", session)
                    .getMethod("getStream", int.class)
                    .invoke(session, id);
            if (!streamType.isInstance(stream)
                    || !is(streamType, "isLocallyClosed", stream)
                    || is(streamType, "isRemotelyClosed", stream)) {
                // Gone already, or the answer was not sent whole, or the request has come whole.
                return;
            }
            Class<?> frameType = Internals.named(HTTP2 + "frames.ResetFrame", session);
            Class<?> callbackType = Internals.named("org.eclipse.jetty.util.Callback", session);
            streamType
                    .getMethod("reset", frameType, callbackType)
                    .invoke(
                            stream,
                            frameType.getConstructor(int.class, int.class).newInstance(id, NO_ERROR),
                            callbackType.getField("NOOP").get(null));
        } catch (ReflectiveOperationException | RuntimeException e) {
            log.debug("a stream could not be reset without an error", e);
        }
    }

    private static boolean is(Class<?> type, String question, Object stream) throws ReflectiveOperationException {
        return (Boolean) type.getMethod(question).invoke(stream);
    }
}
