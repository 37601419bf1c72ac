package app.client;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URI;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;

/** Jetty's client, by reflection, since packages differ between its versions. */
public class Jetty extends Program {
    private static final String CLIENT = "org.eclipse.jetty.client.";
    private static final String SSL = "org.eclipse.jetty.util.ssl.SslContextFactory$Client";
    private final Object client;

    Jetty(Object client) throws Exception {
        this.client = client;
        call(client, "setFollowRedirects", new Class<?>[] {boolean.class}, true);
        call(client, "start", new Class<?>[0]);
    }

    /** Starts it. */
    public static void main(String[] args) throws Exception {
        new Jetty(
                        is94()
                                ? withTls()
                                : type(CLIENT + "HttpClient").getConstructor().newInstance())
                .run();
    }

    /** Before Jetty 10 the client has no TLS unless it is given it. */
    static boolean is94() {
        return !has("org.eclipse.jetty.io.ClientConnector");
    }

    private static Object withTls() throws ReflectiveOperationException {
        Object tls = type(SSL).getConstructor().newInstance();
        return type(CLIENT + "HttpClient")
                .getConstructor(type("org.eclipse.jetty.util.ssl.SslContextFactory"))
                .newInstance(tls);
    }

    /** A client with another transport than that of HTTP/1.1. */
    static Object over(Object transport) throws ReflectiveOperationException {
        Class<?> type = type(CLIENT + "HttpClientTransport");
        return is94()
                ? type(CLIENT + "HttpClient")
                        .getConstructor(type, type("org.eclipse.jetty.util.ssl.SslContextFactory"))
                        .newInstance(transport, type(SSL).getConstructor().newInstance())
                : type(CLIENT + "HttpClient").getConstructor(type).newInstance(transport);
    }

    @Override
    protected String call(String method, String url, byte[] body, int timeoutMillis) throws Exception {
        Object request = call(client, "newRequest", new Class<?>[] {URI.class}, URI.create(url));
        call(request, "method", new Class<?>[] {String.class}, method);
        if (timeoutMillis > 0) {
            Class<?>[] types = {long.class, TimeUnit.class};
            call(request, "timeout", types, (long) timeoutMillis, TimeUnit.MILLISECONDS);
        }
        if (body != null) {
            body(request, body);
        }
        abortBy(() -> {
            try {
                call(request, "abort", new Class<?>[] {Throwable.class}, new CancellationException("given up"));
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        Object response = call(request, "send", new Class<?>[0]);
        Object last = call(response, "getRequest", new Class<?>[0]);
        return call(response, "getStatus", new Class<?>[0]) + " "
                + call(response, "getContentAsString", new Class<?>[0]) + " " + call(last, "getURI", new Class<?>[0]);
    }

    private static void body(Object request, byte[] body) throws Exception {
        boolean is12 = has(CLIENT + "BytesRequestContent");
        String name = is12
                ? CLIENT + "BytesRequestContent"
                : CLIENT + "util." + (is94() ? "BytesContentProvider" : "BytesRequestContent");
        Object content = type(name).getConstructor(byte[][].class).newInstance((Object) new byte[][] {body});
        Class<?> declared = is94()
                ? type(CLIENT + "api.ContentProvider")
                : type(is12 ? CLIENT + "Request$Content" : CLIENT + "api.Request$Content");
        call(request, is94() ? "content" : "body", new Class<?>[] {declared}, content);
    }

    static Class<?> type(String name) throws ClassNotFoundException {
        return Class.forName(name);
    }

    static boolean has(String name) {
        try {
            type(name);
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    private static Object call(Object on, String name, Class<?>[] types, Object... arguments) throws Exception {
        try {
            Method method = on.getClass().getMethod(name, types);
            method.setAccessible(true);
            return method.invoke(on, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof Exception ? (Exception) e.getCause() : e;
        }
    }
}
