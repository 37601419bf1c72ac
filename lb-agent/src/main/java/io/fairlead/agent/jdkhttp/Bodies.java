package io.fairlead.agent.jdkhttp;

import io.fairlead.agent.bootstrap.Faults;
import io.fairlead.agent.route.Exchange;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/**
 * Watches the body that an application's handler reads, since a handler may give its result (a stream, a publisher) long
 * before the body's end. The JDK sees a handler, its subscriber one of ours, and its subscription one of ours.
 */
final class Bodies {
    private static final String API = "java.net.http.HttpResponse$";

    private final Class<?> handlerType;
    private final Class<?> subscriberType;
    private final Class<?> subscriptionType;

    Bodies() throws ClassNotFoundException {
        handlerType = Class.forName(API + "BodyHandler");
        subscriberType = Class.forName(API + "BodySubscriber");
        subscriptionType = Class.forName("java.util.concurrent.Flow$Subscription");
    }

    /** The handler, watched. */
    Object watch(Object handler, Exchange exchange) {
        return proxy(handlerType, (proxy, method, arguments) -> {
            Object result = invoke(handler, method, arguments);
            return method.getName().equals("apply") && result != null ? subscriber(result, exchange) : result;
        });
    }

    private Object subscriber(Object subscriber, Exchange exchange) {
        return proxy(subscriberType, (proxy, method, arguments) -> {
            switch (method.getName()) {
                case "onSubscribe":
                    return invoke(subscriber, method, new Object[] {subscription(arguments[0], exchange)});
                case "onComplete":
                    exchange.bodyEnded();
                    break;
                case "onError":
                    exchange.failed((Throwable) arguments[0]);
                    break;
                default:
                    break;
            }
            return invoke(subscriber, method, arguments);
        });
    }

    private Object subscription(Object subscription, Exchange exchange) {
        return proxy(subscriptionType, (proxy, method, arguments) -> {
            if (method.getName().equals("cancel")) {
                // The application wants no more of it.
                exchange.dropped();
            }
            return invoke(subscription, method, arguments);
        });
    }

    private static Object proxy(Class<?> type, InvocationHandler handler) {
        return Proxy.newProxyInstance(Bodies.class.getClassLoader(), new Class<?>[] {type}, handler);
    }

    private static @Nullable Object invoke(Object on, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        try {
            return method.invoke(on, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        } catch (IllegalAccessException e) {
            Faults.report(e);
            throw e;
        }
    }
}
