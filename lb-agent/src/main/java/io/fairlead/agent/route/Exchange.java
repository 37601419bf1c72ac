package io.fairlead.agent.route;

import io.fairlead.Endpoint;
import io.fairlead.NoEndpointException;
import io.fairlead.Outcome;
import io.fairlead.Pick;
import io.fairlead.RequestFacts;
import io.fairlead.agent.Log;
import io.fairlead.agent.Service;
import io.fairlead.retry.Attempts;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One request of a call: the server that it goes to, and the pick, which is ended once. Each hop of a redirect is a
 * request of its own.
 *
 * <p>Safe for use from any thread; nothing is done under its lock but counting.
 */
public final class Exchange {
    private final Service service;
    private final String host;
    private final RequestFacts facts;
    private final Attempts attempts;

    private Endpoint endpoint;
    private boolean passHost;
    /** Null: ended. What the JDK still does with the connection then is its own affair and is not counted. */
    private @Nullable Pick pick;

    /** Whether the application has given it up, perhaps while it waited for its next server. */
    private boolean dropped;

    /** Whether the connection was opened for this request. */
    private boolean fresh;
    /** Of the answer; 0 while no head has arrived. */
    private int status;

    private Exchange(Service service, String host, RequestFacts facts) {
        this.service = service;
        this.host = host;
        this.facts = facts;
        attempts = Attempts.of(service.balancer(), facts);
        Pick first = first(attempts, service.name());
        pick = first;
        endpoint = first.endpoint();
        passHost = first.settings().passHostHeader();
        begun();
    }

    private static Pick first(Attempts attempts, String service) {
        try {
            // The application cannot cancel a call that has no connection yet.
            return attempts.first(() -> false);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NoEndpointException(service, true);
        }
    }

    /**
     * Picks the first server of a request; waits where the servers are at their limits and the service lets it.
     *
     * @param host the logical name, as the application wrote it
     * @throws NoEndpointException no server can be used
     */
    public static Exchange begin(Service service, String host, RequestFacts facts) {
        return new Exchange(service, host, facts);
    }

    /** The logical name, as the application wrote it. */
    public String host() {
        return host;
    }

    /** The server that the request goes to, or went to. */
    public synchronized Endpoint endpoint() {
        return endpoint;
    }

    /** The value of Host where it is to be the server's own; null: as it is. */
    public synchronized @Nullable String ownHost() {
        return passHost ? null : endpoint.authority();
    }

    /**
     * Has the request tell which server it goes to, where the option asks for it.
     *
     * @param setter sets a field of the request to a value, in place of one that is there
     */
    public void tellServer(BiConsumer<String, String> setter) {
        String field = ServerField.name();
        if (field != null) {
            setter.accept(field, endpoint().id());
        }
    }

    /** Whether the head of an answer has arrived. */
    public synchronized boolean hasResponse() {
        return status != 0;
    }

    /** Whether it has ended. */
    public synchronized boolean hasEnded() {
        return pick == null;
    }

    /** Whether requests of this method have no body. */
    public boolean isBodiless() {
        String method = facts.method();
        return method.equals("GET") || method.equals("HEAD") || method.equals("OPTIONS") || method.equals("DELETE");
    }

    /** What a failure before an answer's head says, of a connection that may have been kept alive. */
    public synchronized Outcome failure(Throwable cause) {
        Outcome outcome = Outcome.failure(cause);
        return outcome.kind() == Outcome.Kind.BROKEN && !fresh ? Outcome.brokenOnKeptAlive(cause) : outcome;
    }

    /** The next try begins with a connection that has been kept alive, unless {@link #connecting} says otherwise. */
    public synchronized void reusing() {
        fresh = false;
    }

    /** Whether the request may be sent a second time when it is not known what became of the first. */
    public boolean isRepeatable() {
        String method = facts.method();
        return !method.equals("POST") && !method.equals("PATCH");
    }

    /** A connection is about to be opened for this request. */
    public synchronized Endpoint connecting() {
        fresh = true;
        return endpoint;
    }

    /**
     * The connection could not be opened. Waits, on the application's thread, where the service says so.
     *
     * @return the next server, or null when the failure is the application's answer
     */
    public @Nullable Endpoint connectFailed(Throwable cause) {
        boolean givenUp =
                !(cause instanceof IOException) || Thread.currentThread().isInterrupted();
        return next(givenUp ? Outcome.cancelled() : Outcome.connectFailed(cause), true);
    }

    /**
     * The try has ended before the head of an answer. Waits, on the calling thread, where the service says so.
     *
     * @param bodyAvailable whether the request's body, if it has one, can still be sent from its beginning
     * @return the next server, or null when the failure is the application's answer
     */
    public @Nullable Endpoint next(Outcome outcome, boolean bodyAvailable) {
        long delay = fail(outcome, bodyAvailable);
        if (delay < 0) {
            return null;
        }
        if (delay > 0) {
            try {
                TimeUnit.NANOSECONDS.sleep(delay);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                attempts.cancel();
                return null;
            }
        }
        return proceed();
    }

    /**
     * The try has ended before the head of an answer.
     *
     * @param bodyAvailable whether the request's body, if it has one, can still be sent from its beginning
     * @return how many nanoseconds to wait before {@link #proceed}; below 0: the failure is the application's answer
     */
    public synchronized long fail(Outcome outcome, boolean bodyAvailable) {
        if (pick == null) {
            return -1;
        }
        log(outcome);
        pick = null;
        return attempts.failed(outcome, bodyAvailable) ? attempts.delayNanos() : -1;
    }

    /** The next server after {@link #fail} and its wait; null: the failure is the application's answer. */
    public synchronized @Nullable Endpoint proceed() {
        if (dropped) {
            attempts.cancel();
            return null;
        }
        return moved(attempts.proceed());
    }

    /**
     * The JDK is about to send the request again on a new connection, of its own accord and once, because the last one
     * broke before an answer's head. The server to send it to: another where that is allowed, else the same.
     */
    public synchronized Endpoint resend() {
        if (pick != null) {
            Outcome outcome = fresh ? Outcome.broken(null) : Outcome.stale();
            log(outcome);
            moved(attempts.next(outcome, true));
        }
        fresh = true;
        return endpoint;
    }

    /** The head of an answer has arrived. */
    public synchronized void responded(int answer) {
        if (pick != null && status == 0) {
            status = answer;
            pick.responded(answer);
        }
    }

    /** The answer's body has been read or is not wanted any more; nothing happens where no head has arrived. */
    public synchronized void bodyEnded() {
        if (status != 0) {
            end(Outcome.status(status));
        }
    }

    /** The connection broke. */
    public synchronized void failed(Throwable cause) {
        end(cause instanceof IOException ? Outcome.failure(cause) : Outcome.cancelled());
    }

    /** The application is through with it: with an answer where a head has arrived, else given up. */
    public synchronized void dropped() {
        dropped = true;
        end(status == 0 ? Outcome.cancelled() : Outcome.status(status));
    }

    private void end(Outcome outcome) {
        Pick running = pick;
        if (running != null) {
            pick = null;
            running.done(outcome);
            log(outcome);
        }
    }

    private @Nullable Endpoint moved(@Nullable Pick next) {
        pick = next;
        if (next == null) {
            return null;
        }
        endpoint = next.endpoint();
        passHost = next.settings().passHostHeader();
        begun();
        return endpoint;
    }

    private void begun() {
        if (Log.isDebug()) {
            Log.debug(facts.method() + " //" + host + facts.path() + " goes to " + endpoint.id() + " of "
                    + service.name());
        }
    }

    /** The service's name. */
    public String service() {
        return service.name();
    }

    /** Ends the try as this says. */
    public synchronized void ended(Outcome outcome) {
        end(outcome);
    }

    private void log(Outcome outcome) {
        if (Log.isDebug()) {
            Log.debug("a request to " + endpoint.id() + " of " + service.name() + " ended: " + outcome);
        }
    }
}
