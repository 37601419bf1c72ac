package io.fairlead.agent.jdkhttp;

import io.fairlead.agent.ClientContext;
import io.fairlead.agent.route.ServerField;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What the adapter asks of objects of the JDK, whose package has been opened to it. */
final class Inside {
    private final Method request;
    private final Method responseAsync;
    private final Method statusCode;
    private final Method proxy;
    private final Method address;
    private final Field http1Request;
    private final Method uri;
    private final Method method;
    private final Method headers;
    private final Method firstValue;
    private final Method systemHeaders;
    private final Method headersMap;
    private final @Nullable Method setField;

    Inside(ClientContext context) throws ReflectiveOperationException {
        Class<?> exchange = type(".Exchange");
        request = open(exchange.getDeclaredMethod("request"));
        responseAsync = open(exchange.getDeclaredMethod("responseAsync"));
        statusCode = open(type(".Response").getDeclaredMethod("statusCode"));
        proxy = open(type(".HttpRequestImpl").getDeclaredMethod("proxy"));
        address = open(type(".HttpConnection").getDeclaredMethod("address"));
        http1Request = open(type(".Http1Request").getDeclaredField("request"));
        context.open(exchange, JdkHttpClient.PACKAGE + ".common", Inside.class);
        systemHeaders = open(type(".HttpRequestImpl").getDeclaredMethod("getSystemHeadersBuilder"));
        headersMap = open(type(".common.HttpHeadersBuilder").getDeclaredMethod("map"));
        setField = ServerField.name() == null
                ? null
                : open(type(".HttpRequestImpl").getDeclaredMethod("setSystemHeader", String.class, String.class));
        Class<?> api = Class.forName("java.net.http.HttpRequest");
        uri = api.getMethod("uri");
        method = api.getMethod("method");
        headers = api.getMethod("headers");
        firstValue = Class.forName("java.net.http.HttpHeaders").getMethod("firstValue", String.class);
    }

    private static Class<?> type(String name) throws ClassNotFoundException {
        return Class.forName(
                JdkHttpClient.PACKAGE + name,
                false,
                ClassLoader.getSystemClassLoader().getParent());
    }

    private static <T extends AccessibleObject> T open(T member) {
        member.setAccessible(true);
        return member;
    }

    Object request(Object exchange) {
        return required(call(request, exchange));
    }

    CompletableFuture<?> responseAsync(Object exchange) {
        return (CompletableFuture<?>) required(call(responseAsync, exchange));
    }

    int status(Object response) {
        return (Integer) required(call(statusCode, response));
    }

    boolean isProxied(Object httpRequest) {
        return call(proxy, httpRequest) != null;
    }

    @Nullable
    InetSocketAddress address(Object connection) {
        return (InetSocketAddress) call(address, connection);
    }

    @Nullable
    Object requestOf(Object first) throws IllegalAccessException {
        return http1Request.get(first);
    }

    @Nullable
    URI uri(Object httpRequest) {
        return (URI) call(uri, httpRequest);
    }

    String method(Object httpRequest) {
        return (String) required(call(method, httpRequest));
    }

    @Nullable
    String header(Object httpRequest, String name) {
        Optional<?> value = (Optional<?>) required(call(firstValue, required(call(headers, httpRequest)), name));
        return value.isPresent() ? (String) value.get() : null;
    }

    /**
     * Takes the fields out of a request by which a try over HTTP/1.1 has asked for HTTP/2, since the next try may be on a
     * connection of HTTP/2, where they are an error. Where they are wanted they are set again.
     */
    void forgetUpgrade(Object exchange) {
        Map<?, ?> fields = (Map<?, ?>) required(call(headersMap, required(call(systemHeaders, request(exchange)))));
        if (fields.remove("HTTP2-Settings") != null) {
            fields.remove("Upgrade");
            fields.remove("Connection");
        }
    }

    /** Sets a field beside those of the application, as the client does with its own. */
    void setField(Object httpRequest, String name, String value) {
        if (setField != null) {
            call(setField, httpRequest, name, value);
        }
    }

    private static Object required(@Nullable Object value) {
        if (value == null) {
            throw new IllegalStateException("the JDK's answer is null");
        }
        return value;
    }

    private static @Nullable Object call(Method method, Object on, Object... arguments) {
        try {
            return method.invoke(on, arguments);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException(method + " failed: " + e, e);
        }
    }
}
