package io.fairlead.agent.route;

import io.fairlead.NoEndpointException;
import io.fairlead.Outcome;
import io.fairlead.RequestFacts;
import io.fairlead.agent.Service;
import java.net.ConnectException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The exchanges of a blocking client in which one method sends a request and returns its answer, on one thread, and an
 * object of the client's holds the connection until the body has ended: which exchange is whose.
 *
 * <p>Safe for use from any thread.
 */
public final class HeldConnections {
    private final WeakIdentityMap<Held> byHolder = new WeakIdentityMap<>();
    private final WeakIdentityMap<Exchange> byRequest = new WeakIdentityMap<>();

    /** Empty but for the time in which a request is sent; there is one of these objects for each copy of the client. */
    @SuppressWarnings("ThreadLocalUsage")
    private final ThreadLocal<@Nullable Sending> current = new ThreadLocal<>();

    /** Begins with none. */
    public HeldConnections() {}

    /**
     * The exchange of a request, which is a new one unless the client sends the request once more by itself, since it got
     * no answer.
     *
     * @param request what the client calls the same request
     * @param host where it is to go
     * @param facts of a new one; they must not hold the request
     * @throws ConnectException no server can be used
     */
    public Exchange exchange(Object request, Service service, String host, Supplier<RequestFacts> facts)
            throws ConnectException {
        Exchange before = byRequest.get(request);
        if (before != null && !before.hasResponse() && before.host().equals(host)) {
            return before;
        }
        Exchange exchange;
        try {
            exchange = Exchange.begin(service, host, facts.get());
        } catch (NoEndpointException e) {
            throw new ConnectException(e.getMessage());
        }
        byRequest.put(request, exchange);
        for (Held lost = byHolder.pollCollected(); lost != null; lost = byHolder.pollCollected()) {
            // Its answer was never read to the end.
            lost.exchange.dropped();
        }
        while (byRequest.pollCollected() != null) {
            // Nobody can ask for it again.
        }
        return exchange;
    }

    /** This thread begins to send. */
    public void enter(Exchange exchange) {
        Sending outer = current.get();
        current.set(new Sending(exchange, outer == null || outer.exchange == exchange ? null : outer));
    }

    /** It has an answer or a failure; gives the connection that it holds, null: it had none. */
    public @Nullable Held leave() {
        Sending sending = current.get();
        if (sending == null) {
            return null;
        }
        if (sending.outer == null) {
            current.remove();
        } else {
            current.set(sending.outer);
        }
        return sending.held;
    }

    /** The exchange that this thread sends; null: none. */
    public @Nullable Exchange sending() {
        Sending sending = current.get();
        return sending == null ? null : sending.exchange;
    }

    /** A connection has been got from the pool. */
    public void opened(Object holder) {
        Sending sending = current.get();
        if (sending != null) {
            sending.held = new Held(sending.exchange);
            byHolder.put(holder, sending.held);
        }
    }

    /** A connection is given back, or closed because nobody wants more of it. */
    public void released(Object holder) {
        Held held = byHolder.get(holder);
        if (held != null) {
            held.released = true;
            held.exchange.bodyEnded();
        }
    }

    /** A connection is closed since it broke. */
    public void broken(Object holder) {
        Held held = byHolder.get(holder);
        if (held != null) {
            held.released = true;
            if (held.exchange.hasResponse()) {
                held.exchange.ended(Outcome.broken(null));
            }
        }
    }

    /** The application gives the request up. */
    public void cancelled(Object holder) {
        Held held = byHolder.get(holder);
        if (held != null) {
            held.exchange.dropped();
        }
    }

    private static final class Sending {
        final Exchange exchange;
        final @Nullable Sending outer;

        @Nullable
        Held held;

        Sending(Exchange exchange, @Nullable Sending outer) {
            this.exchange = exchange;
            this.outer = outer;
        }
    }
}
