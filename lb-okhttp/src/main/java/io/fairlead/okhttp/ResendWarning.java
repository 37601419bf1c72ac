package io.fairlead.okhttp;

import java.lang.reflect.Method;
import java.util.concurrent.atomic.AtomicBoolean;
import okhttp3.Call;
import okhttp3.OkHttpClient;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says once that a client resends by itself what must not be sent twice. OkHttp before 5.4 tells interceptors nothing
 * of their client, but its calls have always known it.
 *
 * <p>Safe for use from any thread.
 */
final class ResendWarning {
    private static final Logger log = LoggerFactory.getLogger(LoadBalancingInterceptor.class);

    private final AtomicBoolean settled = new AtomicBoolean();

    void check(Call call) {
        if (settled.get()) {
            return;
        }
        boolean resends;
        try {
            Method client = call.getClass().getMethod("getClient");
            resends = ((OkHttpClient) client.invoke(call)).retryOnConnectionFailure();
        } catch (ReflectiveOperationException | ClassCastException e) {
            // Not OkHttp as it was released, or one whose inside is closed to us.
            settled.set(true);
            log.debug("whether the client has retryOnConnectionFailure on cannot be seen", e);
            return;
        }
        if (resends && settled.compareAndSet(false, true)) {
            log.warn("this OkHttp (before 5.4) resends a POST by itself when a kept-alive connection breaks:"
                    + " build the client with retryOnConnectionFailure(false)");
        }
    }
}
