package io.fairlead.agent.apache4;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.http.client.methods.HttpRequestWrapper;
import org.apache.http.conn.routing.HttpRoute;
import org.apache.http.nio.NHttpClientConnection;
import org.apache.http.nio.protocol.HttpAsyncRequestExecutor;
import org.apache.http.nio.protocol.HttpAsyncRequestProducer;
import org.jspecify.annotations.Nullable;

/** What is private to the asynchronous client's handler of a call. */
final class ExchangeHandlers {
    private static final String PACKAGE = "org.apache.http.impl.nio.client.";

    private final Field closed;
    private final Field route;
    private final Field request;
    private final Field connection;
    private final Field producer;
    private final Field minimalProducer;
    private final Class<?> minimal;
    private final Method requestConnection;
    private final Method releaseConnection;
    private final Method discardConnection;

    ExchangeHandlers() throws ReflectiveOperationException {
        ClassLoader client = ExchangeHandlers.class.getClassLoader();
        Class<?> handler = Class.forName(PACKAGE + "AbstractClientExchangeHandler", false, client);
        closed = open(handler.getDeclaredField("closed"));
        route = open(handler.getDeclaredField("routeRef"));
        request = open(handler.getDeclaredField("requestRef"));
        connection = open(handler.getDeclaredField("managedConnRef"));
        requestConnection = open(handler.getDeclaredMethod("requestConnection"));
        releaseConnection = open(handler.getDeclaredMethod("releaseConnection"));
        discardConnection = open(handler.getDeclaredMethod("discardConnection"));
        producer = open(Class.forName(PACKAGE + "DefaultClientExchangeHandlerImpl", false, client)
                .getDeclaredField("requestProducer"));
        minimal = Class.forName(PACKAGE + "MinimalClientExchangeHandlerImpl", false, client);
        minimalProducer = open(minimal.getDeclaredField("requestProducer"));
    }

    private static <T extends AccessibleObject> T open(T member) {
        member.setAccessible(true);
        return member;
    }

    /** Whether the call has ended. */
    boolean isClosed(Object handler) throws IllegalAccessException {
        return ((AtomicBoolean) closed.get(handler)).get();
    }

    /** The route of the current hop; null: there is none. */
    @Nullable
    HttpRoute route(Object handler) throws IllegalAccessException {
        return (HttpRoute) ((AtomicReference<?>) route.get(handler)).get();
    }

    /** The request of the current hop; null: several are pipelined. */
    @Nullable
    HttpRequestWrapper request(Object handler) throws IllegalAccessException {
        return (HttpRequestWrapper) ((AtomicReference<?>) request.get(handler)).get();
    }

    /** Whether the pool has given a connection. */
    boolean hasConnection(Object handler) throws IllegalAccessException {
        return connection(handler) != null;
    }

    private @Nullable NHttpClientConnection connection(Object handler) throws IllegalAccessException {
        return (NHttpClientConnection) ((AtomicReference<?>) connection.get(handler)).get();
    }

    /** What makes the call's request and its body. */
    HttpAsyncRequestProducer producer(Object handler) throws IllegalAccessException {
        Field field = minimal.isInstance(handler) ? minimalProducer : producer;
        return (HttpAsyncRequestProducer) field.get(handler);
    }

    /** Asks the pool for a connection. */
    void requestConnection(Object handler) throws ReflectiveOperationException {
        call(requestConnection, handler);
    }

    /** Gives the connection that the hop before has left back to the pool. */
    void releaseConnection(Object handler) throws ReflectiveOperationException {
        call(releaseConnection, handler);
    }

    /** Ends the connection, of whose end the handler is not told. */
    void discardConnection(Object handler) throws ReflectiveOperationException {
        NHttpClientConnection held = connection(handler);
        if (held != null) {
            held.getContext().removeAttribute(HttpAsyncRequestExecutor.HTTP_HANDLER);
            call(discardConnection, handler);
        }
    }

    private static void call(Method method, Object on) throws ReflectiveOperationException {
        try {
            method.invoke(on);
        } catch (InvocationTargetException e) {
            throw new ReflectiveOperationException(method.getName() + " failed: " + e.getCause(), e.getCause());
        }
    }
}
