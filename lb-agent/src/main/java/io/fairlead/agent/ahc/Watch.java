package io.fairlead.agent.ahc;

import io.fairlead.Outcome;
import io.fairlead.agent.route.Exchange;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import org.asynchttpclient.AsyncHandler;
import org.asynchttpclient.HttpResponseStatus;
import org.asynchttpclient.netty.request.NettyRequestSender;
import org.jspecify.annotations.Nullable;

/** Stands before the application's handler for all hops of a call, with all interfaces that the handler has. */
final class Watch implements InvocationHandler {
    private final AsyncHandler<?> handler;
    /** Null: the present hop is not ours. */
    volatile @Nullable Exchange exchange;
    /** The exchange has another server now, and the request is about to be sent again. */
    volatile boolean moved;

    /** What sends the requests of the call; null: none has been sent. */
    volatile @Nullable NettyRequestSender sender;

    /** While the addresses of the request are looked for: the server's. */
    volatile @Nullable InetAddress address;

    private Watch(AsyncHandler<?> handler) {
        this.handler = handler;
    }

    /** The watch in a handler; null: there is none. */
    static @Nullable Watch of(@Nullable Object handler) {
        if (handler != null && Proxy.isProxyClass(handler.getClass())) {
            InvocationHandler inside = Proxy.getInvocationHandler(handler);
            return inside instanceof Watch ? (Watch) inside : null;
        }
        return null;
    }

    /** A handler with a watch in it. */
    static Object over(AsyncHandler<?> handler) {
        Set<Class<?>> all = new LinkedHashSet<>();
        for (Class<?> type = handler.getClass(); type != null; type = type.getSuperclass()) {
            for (Class<?> each : type.getInterfaces()) {
                all.add(each);
            }
        }
        all.add(AsyncHandler.class);
        return Proxy.newProxyInstance(
                handler.getClass().getClassLoader(), all.toArray(new Class<?>[0]), new Watch(handler));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        Exchange running = exchange;
        if (running != null) {
            tell(running, method.getName(), arguments == null || arguments.length == 0 ? null : arguments[0]);
        }
        try {
            return method.invoke(handler, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }

    private static void tell(Exchange running, String event, @Nullable Object argument) {
        switch (event) {
            case "onStatusReceived":
                if (argument instanceof HttpResponseStatus) {
                    running.responded(((HttpResponseStatus) argument).getStatusCode());
                }
                break;
            case "onCompleted":
                running.bodyEnded();
                break;
            case "onThrowable":
                if (argument instanceof CancellationException) {
                    running.dropped();
                } else if (argument instanceof TimeoutException) {
                    running.ended(Outcome.timedOut((TimeoutException) argument));
                } else if (argument instanceof Throwable) {
                    running.failed((Throwable) argument);
                }
                break;
            default:
                break;
        }
    }
}
