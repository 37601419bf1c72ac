package io.fairlead.servlet.container;

import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * Classes of Jetty and Tomcat by their names: they are others for each version of the Servlet API, and may be kept from
 * the web application.
 */
final class Internals {
    private Internals() {}

    /** The container's own request, without what filters have put around it. */
    static ServletRequest own(ServletRequest request) {
        ServletRequest own = request;
        while (own instanceof ServletRequestWrapper wrapper) {
            own = wrapper.getRequest();
        }
        return own;
    }

    static boolean isOfJetty(Object own) {
        return own.getClass().getName().startsWith("org.eclipse.jetty.");
    }

    static boolean isOfTomcat(Object own) {
        return own.getClass().getName().startsWith("org.apache.catalina.");
    }

    /** What Jetty knows of the connection of its own request. */
    static Object jettysConnection(Object own) throws ReflectiveOperationException {
        Object core = call(own, own.getClass(), "getRequest");
        return call(core, "org.eclipse.jetty.server.Request", "getConnectionMetaData");
    }

    /** The session of HTTP/2 that Jetty's own request belongs to. */
    static Object jettysHttp2Session(Object own) throws ReflectiveOperationException {
        Object connection = call(jettysConnection(own), "org.eclipse.jetty.server.ConnectionMetaData", "getConnection");
        return call(connection, "org.eclipse.jetty.http2.HTTP2Connection", "getSession");
    }

    /** The number of the stream of HTTP/2 by which Jetty's own request has come. */
    static int jettysStreamId(Object own) throws ReflectiveOperationException {
        Object core = call(own, own.getClass(), "getRequest");
        return Integer.parseInt((String) call(core, "org.eclipse.jetty.server.Request", "getId"));
    }

    /** What Tomcat has behind the facade of its own request. */
    static Object behindTomcatsFacade(Object own) throws ReflectiveOperationException {
        return field(own, "org.apache.catalina.connector.RequestFacade", "request");
    }

    /** What of Tomcat's speaks the protocol for its own request. */
    static Object tomcatsProcessor(Object own) throws ReflectiveOperationException {
        Object coyote = call(behindTomcatsFacade(own), "org.apache.catalina.connector.Request", "getCoyoteRequest");
        return field(coyote, "org.apache.coyote.Request", "hook");
    }

    /** Calls a public method that takes nothing, of a type that the object has. */
    static Object call(Object object, String type, String method) throws ReflectiveOperationException {
        return call(object, named(type, object), method);
    }

    static Object call(Object object, Class<?> type, String method) throws ReflectiveOperationException {
        return invoke(object, type.getMethod(method));
    }

    static Object invoke(Object object, Method method, Object... arguments) throws ReflectiveOperationException {
        try {
            return some(method.invoke(object, arguments), method.getName());
        } catch (InvocationTargetException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    static Object invokeStatic(Method method) throws ReflectiveOperationException {
        try {
            return some(method.invoke(null), method.getName());
        } catch (InvocationTargetException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    static Object field(Object object, String type, String name) throws ReflectiveOperationException {
        Field found = named(type, object).getDeclaredField(name);
        found.setAccessible(true);
        return some(found.get(object), name);
    }

    static Class<?> named(String type, Object object) throws ClassNotFoundException {
        return Class.forName(type, false, object.getClass().getClassLoader());
    }

    /** Null where the container has just taken the request back. */
    private static Object some(@Nullable Object value, String name) {
        if (value == null) {
            throw new IllegalStateException("there is no " + name);
        }
        return value;
    }
}
