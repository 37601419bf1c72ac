package io.fairlead.okhttp;

import io.fairlead.ServiceSettings;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import okhttp3.Interceptor;
import okhttp3.Request;

/** The time limits of a service, where they were set and are stricter than the client's. */
final class TimeLimits {
    private TimeLimits() {}

    static Interceptor.Chain apply(Interceptor.Chain chain, ServiceSettings settings, Request request) {
        Interceptor.Chain limited = chain;
        Duration dial = settings.dialTimeout();
        if (isSet(dial, ServiceSettings.DEFAULT.dialTimeout()) && isStricter(dial, chain.connectTimeoutMillis())) {
            limited = limited.withConnectTimeout(millis(dial), TimeUnit.MILLISECONDS);
        }
        Duration head = settings.responseHeaderTimeout();
        if (isSet(head, ServiceSettings.DEFAULT.responseHeaderTimeout())
                && isStricter(head, chain.readTimeoutMillis())
                && !isEventStream(request)) {
            limited = limited.withReadTimeout(millis(head), TimeUnit.MILLISECONDS);
        }
        return limited;
    }

    /** The defaults are made for a proxy; a client has its own. */
    private static boolean isSet(Duration limit, Duration orElse) {
        return !limit.isZero() && !limit.equals(orElse);
    }

    private static boolean isStricter(Duration limit, int clientMillis) {
        return clientMillis == 0 || limit.compareTo(Duration.ofMillis(clientMillis)) < 0;
    }

    private static int millis(Duration limit) {
        return (int) Math.max(1, Math.min(Integer.MAX_VALUE, limit.toMillis()));
    }

    /** OkHttp's read timeout goes on in the body, where such a stream is silent for as long as it likes. */
    private static boolean isEventStream(Request request) {
        String accept = request.header("Accept");
        return accept != null && accept.contains("text/event-stream");
    }
}
