package io.fairlead.agent.okhttp;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import okhttp3.Interceptor;
import okhttp3.Request;
import org.jspecify.annotations.Nullable;

/**
 * A chain of interceptors whose next link gets a request with one field more, while the link before keeps the request of
 * the application. A proxy, since the interface has other methods in each version.
 */
final class TellingChain implements InvocationHandler {
    private final Interceptor.Chain chain;
    private final String name;
    private final String value;

    private TellingChain(Interceptor.Chain chain, String name, String value) {
        this.chain = chain;
        this.name = name;
        this.value = value;
    }

    static Interceptor.Chain of(Interceptor.Chain chain, String name, String value) {
        return (Interceptor.Chain) Proxy.newProxyInstance(
                Interceptor.Chain.class.getClassLoader(),
                new Class<?>[] {Interceptor.Chain.class},
                new TellingChain(chain, name, value));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        try {
            return method.getName().equals("proceed") && arguments != null && arguments[0] instanceof Request
                    ? chain.proceed(((Request) arguments[0])
                            .newBuilder()
                            .header(name, value)
                            .build())
                    : method.invoke(chain, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
