package io.fairlead.agent.vertx;

import io.fairlead.Endpoint;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.ProxyOptions;
import io.vertx.core.net.SocketAddress;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/** What the adapter asks of the client that is private to it, or of another type in each version. */
final class Inside {
    private final Field options;
    private final Field vertx;
    private final Method proxy;
    private final Method getServer;
    private final Method setServer;
    private final Method failed;
    private final Method response;
    private final Method reset;

    Inside() throws ReflectiveOperationException {
        ClassLoader client = Inside.class.getClassLoader();
        Class<?> base = Class.forName(VertxClient.IMPL + "HttpClientBase", false, client);
        options = open(base.getDeclaredField("options"));
        vertx = open(base.getDeclaredField("vertx"));
        proxy = open(either(base, "computeProxyOptions", "resolveProxyOptions"));
        getServer = named(RequestOptions.class, "getServer", 0);
        setServer = named(RequestOptions.class, "setServer", 1);
        failed = open(Class.forName(VertxClient.IMPL + "HttpClientRequestImpl", false, client)
                .getDeclaredMethod("handleException", Throwable.class));
        Class<?> request = Class.forName(VertxClient.IMPL + "HttpClientRequestBase", false, client);
        response = open(request.getDeclaredMethod("handleResponse", HttpClientResponse.class));
        reset = open(request.getDeclaredMethod("reset", Throwable.class));
    }

    private static <T extends AccessibleObject> T open(T member) {
        member.setAccessible(true);
        return member;
    }

    private static Method either(Class<?> type, String newer, String older) throws NoSuchMethodException {
        try {
            return type.getDeclaredMethod(newer, ProxyOptions.class, SocketAddress.class);
        } catch (NoSuchMethodException e) {
            return type.getDeclaredMethod(older, ProxyOptions.class, SocketAddress.class);
        }
    }

    private static Method named(Class<?> type, String name, int parameters) throws NoSuchMethodException {
        for (Method method : type.getMethods()) {
            if (method.getName().equals(name) && method.getParameterCount() == parameters && !method.isBridge()) {
                return method;
            }
        }
        throw new NoSuchMethodException(name);
    }

    /** What the client takes where a request's options say nothing. */
    HttpClientOptions defaults(HttpClient client) throws IllegalAccessException {
        return (HttpClientOptions) options.get(client);
    }

    /** The context of this thread, which the client is about to use for its work. */
    Context context(HttpClient client) throws IllegalAccessException {
        return ((Vertx) vertx.get(client)).getOrCreateContext();
    }

    /** Whether the application has said where the request is to go, or that it goes through a proxy. */
    boolean isRouted(HttpClient client, RequestOptions request, int port, String host)
            throws ReflectiveOperationException {
        return getServer.invoke(request) != null
                || proxy.invoke(client, request.getProxyOptions(), SocketAddress.inetSocketAddress(port, host)) != null;
    }

    /** Makes a request go to a server, whose name, where it is one, the client resolves in its own time. */
    void lead(RequestOptions request, Endpoint server) {
        call(setServer, request, SocketAddress.inetSocketAddress(server.port(), server.host()));
    }

    /** Tells a request that it has failed. */
    void fail(HttpClientRequest request, Throwable failure) {
        call(failed, request, failure);
    }

    /** Tells a request that the head of its answer has come. */
    void respond(HttpClientRequest request, HttpClientResponse answer) {
        call(response, request, answer);
    }

    /** Gives a request up. */
    void reset(HttpClientRequest request, Throwable cause) {
        call(reset, request, cause);
    }

    private static void call(Method method, Object on, Object argument) {
        try {
            method.invoke(on, argument);
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof RuntimeException
                    ? (RuntimeException) e.getCause()
                    : new IllegalStateException(e.getCause());
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }
}
