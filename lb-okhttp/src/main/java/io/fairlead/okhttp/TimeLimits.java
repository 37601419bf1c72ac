package io.fairlead.okhttp;

import io.fairlead.ServiceSettings;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import okhttp3.Interceptor;
import okhttp3.Request;

/**
 * The time limits of a service beside the client's own.
 *
 * <p>Connecting: always the stricter of the two, since nobody wants to wait longer for a server than its service says.
 *
 * <p>The head of the answer: OkHttp's read timeout stands for it, which bounds each pause in the body as well and cannot
 * be changed once the head is there. The default, which is made for a proxy, would cut the downloads of a client that
 * allows longer pauses, so only a limit other than the default is applied, and none to event streams.
 */
final class TimeLimits {
    private TimeLimits() {}

    static Interceptor.Chain apply(Interceptor.Chain chain, ServiceSettings settings, Request request, long tryNanos) {
        Interceptor.Chain limited = chain;
        Duration aTry = tryNanos == Long.MAX_VALUE ? Duration.ZERO : Duration.ofNanos(tryNanos);
        Duration dial = stricter(settings.dialTimeout(), aTry);
        if (isStricter(dial, chain.connectTimeoutMillis())) {
            limited = limited.withConnectTimeout(millis(dial), TimeUnit.MILLISECONDS);
        }
        Duration head = settings.responseHeaderTimeout();
        if (head.equals(ServiceSettings.DEFAULT.responseHeaderTimeout())) {
            head = Duration.ZERO;
        }
        head = stricter(head, aTry);
        if (isStricter(head, chain.readTimeoutMillis()) && !isEventStream(request)) {
            limited = limited.withReadTimeout(millis(head), TimeUnit.MILLISECONDS);
        }
        return limited;
    }

    private static Duration stricter(Duration a, Duration b) {
        if (a.isZero()) {
            return b;
        }
        return b.isZero() || a.compareTo(b) < 0 ? a : b;
    }

    /** Zero is no limit, on either side. */
    private static boolean isStricter(Duration limit, int clientMillis) {
        return !limit.isZero() && (clientMillis == 0 || limit.compareTo(Duration.ofMillis(clientMillis)) < 0);
    }

    private static int millis(Duration limit) {
        return (int)
                Math.max(1, Math.min(Integer.MAX_VALUE, limit.plusNanos(999_999).toMillis()));
    }

    /** Such a stream is silent for as long as it likes. */
    private static boolean isEventStream(Request request) {
        String accept = request.header("Accept");
        return accept != null && accept.contains("text/event-stream");
    }
}
