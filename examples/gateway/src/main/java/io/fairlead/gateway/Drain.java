package io.fairlead.gateway;

import java.time.Duration;
import java.util.function.IntSupplier;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Counts the requests under way, so that stopping can wait for them. Once draining, a request that still comes over a
 * kept-alive connection is served, and its client told to open no other one here.
 */
final class Drain extends Handler.Wrapper {
    private static final long TUNNEL_INTERVAL_MILLIS = 50;

    private final Object lock = new Object();
    private int running; // guarded by lock
    private final IntSupplier tunnels;
    private volatile boolean draining;
    private volatile boolean refusing;

    /** @param tunnels how many connections have left HTTP and are still used */
    Drain(Handler handler, IntSupplier tunnels) {
        super(handler);
        this.tunnels = tunnels;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        synchronized (lock) {
            running++;
        }
        Request.addCompletionListener(request, failure -> ended());
        if (draining
                && request.getConnectionMetaData().getHttpVersion().getVersion() < HttpVersion.HTTP_2.getVersion()) {
            response.getHeaders().put(HttpHeader.CONNECTION, "close");
        }
        if (refusing) {
            Response.writeError(request, response, callback, HttpStatus.SERVICE_UNAVAILABLE_503);
            return true;
        }
        return super.handle(request, response, callback);
    }

    private void ended() {
        synchronized (lock) {
            running--;
            lock.notifyAll();
        }
    }

    void begin() {
        draining = true;
    }

    /** From here on requests are answered by 503. */
    void refuse() {
        refusing = true;
    }

    boolean isDraining() {
        return draining;
    }

    /** Waits until neither a request nor a tunnel is under way, but no longer than this; false when it gave up. */
    boolean await(Duration limit) throws InterruptedException {
        return await(limit, tunnels);
    }

    /** Waits until no request is under way, but no longer than this; false when it gave up. */
    boolean awaitRequests(Duration limit) throws InterruptedException {
        return await(limit, () -> 0);
    }

    private boolean await(Duration limit, IntSupplier others) throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        synchronized (lock) {
            while (running > 0 || others.getAsInt() > 0) {
                long millis = (deadline - System.nanoTime()) / 1_000_000;
                if (millis <= 0) {
                    return false;
                }
                // Nobody tells of a tunnel's end.
                lock.wait(running > 0 ? millis : Math.min(millis, TUNNEL_INTERVAL_MILLIS));
            }
            return true;
        }
    }
}
