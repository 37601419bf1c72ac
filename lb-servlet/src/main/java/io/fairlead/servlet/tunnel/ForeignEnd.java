package io.fairlead.servlet.tunnel;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * What {@link EndPointEnd} is, for a Jetty that keeps its classes from the web application: the two have the same
 * interfaces under the same names and no class in common, so each call goes over by name.
 */
final class ForeignEnd implements TunnelEnd, InvocationHandler {
    private static final String IO = "org.eclipse.jetty.io.";

    private final Object endPoint;
    private final Class<?> endPointType;
    private final Class<?> callbackType;
    private final Object connection;
    private final Executor executor;
    private final Runnable opened;
    private final boolean plain;
    private ByteBuffer early = BufferUtil.EMPTY_BUFFER;

    /**
     * An end that is not open yet.
     *
     * @param endPoint the server's endpoint
     * @throws ReflectiveOperationException it is none of Jetty's
     */
    ForeignEnd(Object endPoint, Executor executor, Runnable opened) throws ReflectiveOperationException {
        this.endPoint = endPoint;
        this.executor = executor;
        this.opened = opened;
        ClassLoader server = endPoint.getClass().getClassLoader();
        endPointType = Class.forName(IO + "EndPoint", false, server);
        callbackType = Class.forName("org.eclipse.jetty.util.Callback", false, server);
        Class<?>[] types = {
            Class.forName(IO + "Connection", false, server), Class.forName(IO + "Connection$UpgradeTo", false, server)
        };
        connection = Proxy.newProxyInstance(server, types, this);
        plain = endPoint.getClass().getName().equals(IO + "SocketChannelEndPoint");
    }

    /** The connection that Jetty is to upgrade to. */
    Object connection() {
        return connection;
    }

    /** What Jetty asks of a connection. */
    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws IOException {
        switch (method.getName()) {
            case "onUpgradeTo" -> {
                if (arguments != null && arguments[0] instanceof ByteBuffer behindTheHead) {
                    early = BufferUtil.copy(behindTheHead);
                }
            }
            case "onOpen" -> {
                // How long nothing may move is the tunnel's matter, which sees both directions.
                call("setIdleTimeout", new Class<?>[] {long.class}, 0L);
                opened.run();
            }
            case "close" -> close();
            case "getEndPoint" -> {
                return endPoint;
            }
            case "equals" -> {
                return arguments != null && proxy == arguments[0];
            }
            case "hashCode" -> {
                return System.identityHashCode(this);
            }
            case "toString" -> {
                return "ForeignEnd{" + endPoint + "}";
            }
            default -> {
                // Counters and listeners, which a tunnel has no use for.
            }
        }
        Class<?> answer = method.getReturnType();
        if (answer == boolean.class) {
            return false;
        }
        return answer == long.class ? (Object) 0L : null;
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        if (early.hasRemaining()) {
            return BufferUtil.append(into, early);
        }
        // Off the socket itself where that is plain, since Jetty's endpoint takes a reset for an end of input.
        if (plain && call("getTransport", new Class<?>[0]) instanceof java.nio.channels.SocketChannel socket) {
            int position = BufferUtil.flipToFill(into);
            try {
                return socket.read(into);
            } finally {
                BufferUtil.flipToFlush(into, position);
            }
        }
        return call("fill", new Class<?>[] {ByteBuffer.class}, into) instanceof Integer read ? read : -1;
    }

    @Override
    public void whenReadable(Callback callback) {
        if (early.hasRemaining()) {
            executor.execute(callback::succeeded);
            return;
        }
        try {
            call("fillInterested", new Class<?>[] {callbackType}, foreign(callback));
        } catch (IOException | RuntimeException e) {
            callback.failed(e);
        }
    }

    @Override
    public void write(ByteBuffer bytes, Callback callback) {
        try {
            call("write", new Class<?>[] {callbackType, ByteBuffer[].class}, foreign(callback), new ByteBuffer[] {bytes
            });
        } catch (IOException | RuntimeException e) {
            callback.failed(e);
        }
    }

    @Override
    public void shutdownOutput() {
        try {
            call("shutdownOutput", new Class<?>[0]);
        } catch (IOException e) {
            close();
        }
    }

    @Override
    public void close() {
        try {
            call("close", new Class<?>[0]);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private Object foreign(Callback callback) {
        return Proxy.newProxyInstance(
                callbackType.getClassLoader(), new Class<?>[] {callbackType}, (proxy, method, arguments) -> {
                    switch (method.getName()) {
                        case "succeeded" -> callback.succeeded();
                        case "failed" -> callback.failed((Throwable) arguments[0]);
                        case "equals" -> {
                            return proxy == arguments[0];
                        }
                        case "hashCode" -> {
                            return System.identityHashCode(callback);
                        }
                        case "toString" -> {
                            return callback.toString();
                        }
                        case "getInvocationType" -> {
                            return constant(
                                    method.getReturnType(),
                                    callback.getInvocationType().name());
                        }
                        default -> throw new UnsupportedOperationException(method.toString());
                    }
                    return null;
                });
    }

    private static @Nullable Object constant(Class<?> type, String name) {
        for (Object each : type.getEnumConstants()) {
            if (each.toString().equals(name)) {
                return each;
            }
        }
        return null;
    }

    private @Nullable Object call(String name, Class<?>[] types, Object... arguments) throws IOException {
        try {
            return endPointType.getMethod(name, types).invoke(endPoint, arguments);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof IOException broken) {
                throw broken;
            }
            throw new IOException(e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("Jetty's endpoint has changed", e);
        }
    }
}
