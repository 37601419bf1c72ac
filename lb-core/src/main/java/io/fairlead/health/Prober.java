package io.fairlead.health;

import io.fairlead.Endpoint;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * Checks servers, each time once.
 *
 * <p>Implementations are safe for use from any thread.
 */
public interface Prober {
    /**
     * Checks a server; returns without waiting for the verdict unless the implementation says otherwise.
     *
     * @param slow whether the server's last check ran out of time, so that this one may do so too
     * @param done is given the verdict, once, on a thread that may block
     */
    void probe(Endpoint endpoint, HealthCheck check, boolean slow, Consumer<Verdict> done);

    /** One that keeps a thread of an executor for the whole of each check. */
    static Prober of(Executor threads) {
        return (endpoint, check, slow, done) -> threads.execute(() -> {
            try (SocketProber prober = new SocketProber(Runnable::run, Runnable::run, Runnable::run)) {
                prober.probe(endpoint, check, slow, done);
            }
        });
    }
}
