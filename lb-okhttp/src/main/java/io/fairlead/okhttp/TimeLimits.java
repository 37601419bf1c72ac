package io.fairlead.okhttp;

import io.fairlead.ServiceSettings;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import okhttp3.Interceptor;
import okhttp3.Request;
import okhttp3.RequestBody;

/**
 * The time limits of a service beside the client's own.
 *
 * <p>Connecting: always the stricter of the two, since nobody wants to wait longer for a server than its service says.
 *
 * <p>The head of the answer: OkHttp's read timeout stands for it, which bounds each pause in the body as well. From 5.4
 * on that is undone when the head is there ({@link CallWatch#readBodyWithin}); before, event streams have no such limit.
 * The default is made for a proxy. A client that allows longer waits means it, so only a limit other than the default is
 * applied.
 *
 * <p>Writing: what one try may take bounds each wait for the server to take something of the request's body.
 */
final class TimeLimits {
    private TimeLimits() {}

    /** A chain with all limits. */
    static Interceptor.Chain apply(Interceptor.Chain chain, ServiceSettings settings, Request request, long tryNanos) {
        Interceptor.Chain limited = applyButToConnecting(chain, settings, request, tryNanos);
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

    /** A chain with the limits of what comes after connecting. */
    static Interceptor.Chain applyButToConnecting(
            Interceptor.Chain chain, ServiceSettings settings, Request request, long tryNanos) {
        return applyToHead(applyToBody(chain, request, tryNanos), settings, request, tryNanos);
    }

    private static Interceptor.Chain applyToHead(
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
        return isStricter(millis, chain.readTimeoutMillis()) && (Carrier.CAN_PIN || !isEventStream(request))
                ? chain.withReadTimeout(millis, TimeUnit.MILLISECONDS)
                : chain;
    }

    private static Interceptor.Chain applyToBody(Interceptor.Chain chain, Request request, long tryNanos) {
        RequestBody body = request.body();
        // That of a duplex call is written while the answer is read, so as long as the application likes.
        if (tryNanos == Long.MAX_VALUE || body == null || body.isDuplex()) {
            return chain;
        }
        int millis = millis(Duration.ofNanos(tryNanos));
        return isStricter(millis, chain.writeTimeoutMillis())
                ? chain.withWriteTimeout(millis, TimeUnit.MILLISECONDS)
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
