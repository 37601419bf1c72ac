package io.fairlead.retry;

import io.fairlead.LoadBalancer;
import io.fairlead.NoEndpointException;
import io.fairlead.Outcome;
import io.fairlead.Pick;
import io.fairlead.RequestFacts;
import io.fairlead.Tried;
import io.fairlead.limit.Admission;
import io.fairlead.limit.Entrant;
import io.fairlead.limit.WaitingLine;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The tries of one request: gives the first server, and after a failure says whether the request may go to another one
 * and which. The rules are the same in all adapters:
 *
 * <ul>
 *   <li>Nothing was sent (connecting failed, or a kept-alive connection was stale): the next server, for any method,
 *       and the budget is not asked.
 *   <li>The connection broke before the head of an answer: the next server for GET, HEAD, OPTIONS, TRACE, PUT and DELETE
 *       whose body can be sent again, within the budget.
 *   <li>Any other end is an answer to be passed on.
 *   <li>Never a server that failed the request already, and no more servers than {@link LoadBalancer#maxTries()}; one
 *       whose connection was stale only when no other is left, or when the client is kept on it.
 * </ul>
 *
 * <p>Belongs to one request: calls must be ordered, from whatever threads.
 */
public final class Attempts {
    private static final int MAX_STALE = 10;
    /** So often a client that is kept on a server meets a stale connection to it before it goes to another one. */
    private static final int MAX_STALE_KEPT = 5;

    private final LoadBalancer balancer;
    private final RequestFacts request;
    private Tried tried = Tried.NONE;
    /** Those tried, and those whose connection was stale: the latter are asked again when no other is left. */
    private Tried avoided = Tried.NONE;

    private @Nullable Pick current;
    private int stale;

    private Attempts(LoadBalancer balancer, RequestFacts request) {
        this.balancer = balancer;
        this.request = request;
    }

    /** The tries of one request, of which none has been made. */
    public static Attempts of(LoadBalancer balancer, RequestFacts request) {
        return new Attempts(balancer, request);
    }

    /**
     * The first server, without waiting for a place at one.
     *
     * @throws NoEndpointException no server of the service can be used, or those that can be are at their limits
     */
    public Pick first() {
        balancer.retryBudget().request();
        Pick pick = balancer.pick(request);
        current = pick;
        return pick;
    }

    /**
     * The first server; where all are at their limits, the calling thread waits for a place as long as the service lets
     * it.
     *
     * @param isGivenUp asked from time to time while waiting, whether nobody wants the request any more
     * @throws NoEndpointException as {@link #first()}, or the time of waiting ran out
     * @throws java.util.concurrent.CancellationException the request has been given up
     * @throws InterruptedException the thread was interrupted while it waited
     */
    public Pick first(BooleanSupplier isGivenUp) throws InterruptedException {
        balancer.retryBudget().request();
        Pick pick = Admission.enter(balancer, request, isGivenUp);
        current = pick;
        return pick;
    }

    /**
     * The first server; where all are at their limits, a place is waited for as long as the service allows, without a
     * thread.
     *
     * @param entrant told of the outcome, perhaps before this method returns; not where this method throws
     * @return the place in the line, to give up waiting; null: the entrant has been told
     * @throws NoEndpointException as {@link #first()}
     */
    public WaitingLine.@Nullable Ticket first(Entrant entrant) {
        balancer.retryBudget().request();
        return Admission.enter(balancer, request, new Entrant() {
            @Override
            public void admitted(Pick pick) {
                current = pick;
                entrant.admitted(pick);
            }

            @Override
            public void refused(NoEndpointException why) {
                entrant.refused(why);
            }
        });
    }

    /**
     * Ends the current try by its outcome and gives the next one.
     *
     * @param outcome how it ended, before the head of an answer arrived
     * @param bodyAvailable whether the request's body, if it has one, can still be sent from its beginning
     * @return the next try; null when there is to be none, and the failure is the caller's answer
     */
    public @Nullable Pick next(Outcome outcome, boolean bodyAvailable) {
        Pick failed = current;
        if (failed == null) {
            throw new IllegalStateException("no try is under way");
        }
        failed.done(outcome);
        current = null;
        if (!bodyAvailable || !allows(outcome.kind())) {
            return null;
        }
        String id = failed.endpoint().id();
        if (outcome.kind() == Outcome.Kind.STALE) {
            if (!failed.isKept() || stale >= MAX_STALE_KEPT) {
                avoided = with(avoided, id, "");
            }
            if (++stale > MAX_STALE) {
                return null;
            }
        } else {
            tried = with(tried, id, failed.service());
            avoided = with(avoided, id, failed.service());
            if (tried.size() >= balancer.maxTries()) {
                return null;
            }
        }
        if (!outcome.kind().nothingSent() && !balancer.retryBudget().tryRetry()) {
            return null;
        }
        Pick next = balancer.tryPick(request, avoided);
        if (next == null && stale > 0) {
            // No other is left, and those of the stale connections are not to blame.
            next = balancer.tryPick(request, tried);
        }
        current = next;
        return next;
    }

    private static Tried with(Tried before, String id, String service) {
        Tried after = before.isEmpty() ? Tried.create() : before;
        after.add(id, service);
        return after;
    }

    /** How many servers have failed this request. */
    public int failedTries() {
        return tried.size();
    }

    private boolean allows(Outcome.Kind kind) {
        return kind.nothingSent() || (kind == Outcome.Kind.BROKEN && isIdempotent(request.method()));
    }

    private static boolean isIdempotent(String method) {
        switch (method) {
            case "GET":
            case "HEAD":
            case "OPTIONS":
            case "TRACE":
            case "PUT":
            case "DELETE":
                return true;
            default:
                return false;
        }
    }
}
