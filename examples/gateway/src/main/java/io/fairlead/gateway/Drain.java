package io.fairlead.gateway;

import java.time.Duration;
import org.eclipse.jetty.http.HttpHeader;
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
    private final Object lock = new Object();
    private int running; // guarded by lock
    private volatile boolean draining;

    Drain(Handler handler) {
        super(handler);
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

    boolean isDraining() {
        return draining;
    }

    /** Waits until no request is under way, but no longer than this; false when it gave up. */
    boolean await(Duration limit) throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        synchronized (lock) {
            while (running > 0) {
                long millis = (deadline - System.nanoTime()) / 1_000_000;
                if (millis <= 0) {
                    return false;
                }
                lock.wait(millis);
            }
            return true;
        }
    }
}
