package io.fairlead.agent.route;

import io.fairlead.Endpoint;
import io.fairlead.Outcome;
import io.fairlead.agent.bootstrap.Crossing;
import io.fairlead.agent.bootstrap.Skip;
import java.io.IOException;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/**
 * One run of a blocking client's method that sends a request and returns its answer, or several where the request goes on
 * to other servers.
 */
public abstract class HeldRun extends Crossing {
    private final HeldConnections held;
    private final Exchange exchange;

    /** A run of a request that has been begun. */
    protected HeldRun(HeldConnections held, Exchange exchange) {
        this.held = held;
        this.exchange = exchange;
    }

    /**
     * Makes the request lead to a server.
     *
     * @param arguments of the method, to be replaced
     * @throws UnknownHostException its name is not known
     */
    protected abstract void leadTo(Endpoint server, @Nullable Object[] arguments) throws UnknownHostException;

    /** The status of what the method returned. */
    protected abstract int status(Object response);

    /** Whether the application has given the request up. */
    protected abstract boolean isAborted();

    /** Whether the request's body, if it has one, can be sent again. */
    protected abstract boolean isRepeatable();

    /** The method is about to run again, for another server. */
    protected void beforeNext() {}

    /** What the application gets for a failure. */
    protected Throwable seen(Throwable failure) {
        return failure;
    }

    /** Leads the request to its first server; the answer is the hook's. */
    public Crossing begin(@Nullable Object[] arguments) {
        IOException unknown = lead(arguments, exchange.endpoint());
        return unknown == null ? this : Skip.throwing(unknown);
    }

    /** To the first server whose address is known, from this one on; null, or why there is none. */
    private @Nullable IOException lead(@Nullable Object[] arguments, Endpoint first) {
        Endpoint server = first;
        while (true) {
            try {
                leadTo(server, arguments);
                exchange.reusing();
                held.enter(exchange);
                return null;
            } catch (UnknownHostException e) {
                Endpoint next = exchange.next(Outcome.connectFailed(e), true);
                if (next == null) {
                    return e;
                }
                server = next;
            }
        }
    }

    @Override
    public final void exit(@Nullable Object[] arguments) {
        Held connection = held.leave();
        Throwable failure = thrown;
        if (failure == null) {
            exchange.responded(returned == null ? 200 : status(returned));
            if (connection == null || connection.isReleased()) {
                exchange.bodyEnded();
            }
            return;
        }
        if (connection == null || !(failure instanceof IOException) || isAborted()) {
            // The pool gave none, or the application gave up.
            exchange.dropped();
            return;
        }
        Outcome outcome = exchange.failure(failure);
        Endpoint next = exchange.next(outcome, outcome.kind().nothingSent() || isRepeatable());
        if (next != null) {
            beforeNext();
        }
        if (next != null && lead(arguments, next) == null) {
            again = true;
        } else {
            thrown = seen(failure);
        }
    }
}
