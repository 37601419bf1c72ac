package io.fairlead.agent.reactornetty;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** What the adapter asks of objects of the client that are private to it. */
final class Handler {
    private final Field toUri;
    private final Field method;
    private final Field headers;
    private final Field proxy;
    private final Field scheme;
    private final Method path;

    Handler(ClassLoader client) throws ReflectiveOperationException {
        Class<?> handler =
                Class.forName("reactor.netty.http.client.HttpClientConnect$HttpClientHandler", false, client);
        toUri = open(handler.getDeclaredField("toURI"));
        method = open(handler.getDeclaredField("method"));
        headers = open(handler.getDeclaredField("defaultHeaders"));
        proxy = open(handler.getDeclaredField("proxyProvider"));
        Class<?> endpoint = Class.forName("reactor.netty.http.client.UriEndpoint", false, client);
        scheme = open(endpoint.getDeclaredField("scheme"));
        path = open(endpoint.getDeclaredMethod("getPathAndQuery"));
    }

    private static <T extends AccessibleObject> T open(T member) {
        member.setAccessible(true);
        return member;
    }

    /** {@code http}, {@code https} or another. */
    String scheme(Object handler) throws IllegalAccessException {
        return String.valueOf(scheme.get(toUri.get(handler)));
    }

    String target(Object handler) throws ReflectiveOperationException {
        return String.valueOf(path.invoke(toUri.get(handler)));
    }

    String method(Object handler) throws IllegalAccessException {
        return String.valueOf(method.get(handler));
    }

    @Nullable
    Object headers(Object handler) throws IllegalAccessException {
        return headers.get(handler);
    }

    /** Whether the call goes through a proxy. */
    boolean isProxied(Object handler, SocketAddress address) throws ReflectiveOperationException {
        Object provider = proxy.get(handler);
        return provider != null && Boolean.TRUE.equals(call(provider, "shouldProxy", SocketAddress.class, address));
    }

    /** Sets a field of the request that these operations send. */
    static void setField(Object operations, String name, String value) throws ReflectiveOperationException {
        Object headers = call(operations, "requestHeaders");
        if (headers != null) {
            headers.getClass().getMethod("set", String.class, Object.class).invoke(headers, name, value);
        }
    }

    /** Calls a public method. */
    static @Nullable Object call(Object on, String name, Class<?> type, @Nullable Object argument)
            throws ReflectiveOperationException {
        try {
            Method found = on.getClass().getMethod(name, type);
            found.setAccessible(true);
            return found.invoke(on, argument);
        } catch (InvocationTargetException e) {
            throw new ReflectiveOperationException(name + " failed: " + e.getCause(), e);
        }
    }

    /** Calls a public method without parameters. */
    static @Nullable Object call(Object on, String name) throws ReflectiveOperationException {
        try {
            Method found = on.getClass().getMethod(name);
            found.setAccessible(true);
            return found.invoke(on);
        } catch (InvocationTargetException e) {
            throw new ReflectiveOperationException(name + " failed: " + e.getCause(), e);
        }
    }
}
