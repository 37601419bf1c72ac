package app.client;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** {@code java.net.http.HttpClient}, by reflection, since this must compile for Java 8 too. */
public class JdkHttp extends Program {
    private final Object client;
    private final Class<?> clientType = type("HttpClient");
    private final Class<?> requestType = type("HttpRequest");
    private final Class<?> handlerType = type("HttpResponse$BodyHandler");
    private final Class<?> publisherType = type("HttpRequest$BodyPublisher");
    private final boolean async;

    JdkHttp(boolean async) throws Exception {
        this.async = async;
        Object builder = clientType.getMethod("newBuilder").invoke(null);
        Class<?> redirect = type("HttpClient$Redirect");
        on(
                type("HttpClient$Builder"),
                builder,
                "followRedirects",
                redirect,
                redirect.getField("NORMAL").get(null));
        client = call(type("HttpClient$Builder"), builder, "build");
    }

    /** Starts it. */
    public static void main(String[] args) throws Exception {
        new JdkHttp(false).run();
    }

    @Override
    protected String call(String method, String url, byte[] body, int timeoutMillis) throws Exception {
        Class<?> builderType = type("HttpRequest$Builder");
        Object builder = requestType.getMethod("newBuilder").invoke(null);
        on(builderType, builder, "uri", URI.class, new URI(url));
        if (timeoutMillis > 0) {
            on(builderType, builder, "timeout", Duration.class, Duration.ofMillis(timeoutMillis));
        }
        Class<?> publishers = type("HttpRequest$BodyPublishers");
        Object publisher = body == null
                ? publishers.getMethod("noBody").invoke(null)
                : publishers.getMethod("ofByteArray", byte[].class).invoke(null, body);
        builderType.getMethod("method", String.class, publisherType).invoke(builder, method, publisher);
        Object request = call(builderType, builder, "build");
        Object handler = type("HttpResponse$BodyHandlers").getMethod("ofString").invoke(null);
        try {
            Object response;
            if (async) {
                CompletableFuture<?> future = (CompletableFuture<?>) clientType
                        .getMethod("sendAsync", requestType, handlerType)
                        .invoke(client, request, handler);
                abortBy(() -> future.cancel(true));
                response = future.get();
            } else {
                Thread caller = Thread.currentThread();
                abortBy(caller::interrupt);
                response =
                        clientType.getMethod("send", requestType, handlerType).invoke(client, request, handler);
            }
            Class<?> responseType = type("HttpResponse");
            return call(responseType, response, "statusCode") + " " + call(responseType, response, "body") + " "
                    + call(responseType, response, "uri");
        } catch (InvocationTargetException | ExecutionException e) {
            throw e.getCause() instanceof Exception ? (Exception) e.getCause() : e;
        }
    }

    private static Object call(Class<?> type, Object on, String name) throws ReflectiveOperationException {
        Method method = type.getMethod(name);
        return method.invoke(on);
    }

    private static void on(Class<?> type, Object on, String name, Class<?> of, Object value)
            throws ReflectiveOperationException {
        type.getMethod(name, of).invoke(on, value);
    }

    private static Class<?> type(String name) {
        try {
            return Class.forName("java.net.http." + name);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }
}
