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

    /** A chain with both limits. */
    static Interceptor.Chain apply(Interceptor.Chain chain, ServiceSettings settings, Request request, long tryNanos) {
        Interceptor.Chain limited = applyToHead(chain, settings, request, tryNanos);
        int dial = connectMillis(settings, tryNanos);
        return isStricter(dial, chain.connectTimeoutMillis())
                ? limited.withConnectTimeout(dial, TimeUnit.MILLISECONDS)
                : limited;
    }

    /** How long connecting may take, in milliseconds; 0: no limit beside the client's. */
    static int connectMillis(ServiceSettings settings, long tryNanos) {
        Duration dial = stricter(settings.dialTimeout(), ofTry(tryNanos));
        return dial.isZero() ? 0 : millis(dial);
    }

    /** Whether a limit is stricter than another; zero is none, on either side. */
    static boolean isStricter(int millis, int otherMillis) {
        return millis != 0 && (otherMillis == 0 || millis < otherMillis);
    }

    private static Duration ofTry(long nanos) {
        return nanos == Long.MAX_VALUE ? Duration.ZERO : Duration.ofNanos(nanos);
    }

    /** A chain with the limit of the head alone. */
    static Interceptor.Chain applyToHead(
            Interceptor.Chain chain, ServiceSettings settings, Request request, long tryNanos) {
        Duration head = settings.responseHeaderTimeout();
        if (head.equals(ServiceSettings.DEFAULT.responseHeaderTimeout())) {
            head = Duration.ZERO;
        }
        head = stricter(head, ofTry(tryNanos));
        if (head.isZero()) {
            return chain;
        }
        int millis = millis(head);
        return isStricter(millis, chain.readTimeoutMillis()) && !isEventStream(request)
                ? chain.withReadTimeout(millis, TimeUnit.MILLISECONDS)
                : chain;
    }

    private static Duration stricter(Duration a, Duration b) {
        if (a.isZero()) {
            return b;
        }
        return b.isZero() || a.compareTo(b) < 0 ? a : b;
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
