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
import io.fairlead.strategy.RandomSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The tries of one request: gives the first server, and after a failure says whether the request may go to another one,
 * to which, and how long to wait before. The rules are the same in all adapters, and those of the {@link RetryPolicy} of
 * the service whose server failed:
 *
 * <ul>
 *   <li>Nothing was sent (connecting failed, or a kept-alive connection was stale): the next server, for any method,
 *       and the budget is not asked.
 *   <li>The connection broke before the head of an answer, or, where the policy says so, a time limit ran out or the
 *       answer has a certain status: the next server for the policy's methods, if the body can be sent again, within the
 *       budget.
 *   <li>Any other end is an answer to be passed on. A request that was cancelled is never tried again.
 *   <li>Never a server that failed the request already while another is left, and no more tries than
 *       {@link LoadBalancer#maxTries()}. When all have failed, the request ends there, unless it waits before it is sent
 *       again: then all are asked anew. A server whose connection was stale is asked again only when no other is left,
 *       or when the client is kept on it.
 *   <li>A kept-alive connection that breaks without a byte of an answer may have crossed with the server's closing it: when
 *       no other server is left, the same one is asked once more, on a fresh connection.
 * </ul>
 *
 * <p>An adapter calls {@link #first}; after each try that got no answer {@link #failed}, and where an answer came
 * {@link #answered}; and when either says that the request goes on, {@link #proceed} after {@link #delayNanos}. Where
 * there is a {@link Copies hedging} of the request, it tells that of its copies.
 *
 * <p>Belongs to one request: calls must be ordered, from whatever threads.
 */
public final class Attempts {
    private static final int MAX_STALE = 10;
    /** So often a client that is kept on a server meets a stale connection to it before it goes to another one. */
    private static final int MAX_STALE_KEPT = 5;

    private final LoadBalancer balancer;
    private final RequestFacts request;
    private final RandomSource random;
    /** In place of the policies of the services; null: theirs hold. */
    private final @Nullable RetryPolicy override;

    private Tried tried = Tried.NONE;
    /** Those tried, and those whose connection was stale: the latter are asked again when no other is left. */
    private Tried avoided = Tried.NONE;
    /** Where copies of one try were sent. That is no failure: while another server is left, they are not asked again. */
    private final List<String> copied = new ArrayList<>(0);

    private @Nullable Pick current;
    private @Nullable Pick prepared;
    private boolean waiting;
    private int failures;
    private int stale;
    /** Whose kept-alive connection has just broken: it is asked again when no other is left. Once. */
    private @Nullable Pick crossing;

    private boolean crossed;
    private boolean fresh;
    private long delay;
    /** When the time of all tries is over; only where {@link #limited}. */
    private long deadline;

    private boolean limited;

    Attempts(LoadBalancer balancer, RequestFacts request, RandomSource random) {
        this(balancer, request, random, null);
    }

    private Attempts(LoadBalancer balancer, RequestFacts request, RandomSource random, @Nullable RetryPolicy override) {
        this.balancer = balancer;
        this.request = request;
        this.random = random;
        this.override = override;
    }

    /** The tries of one request, of which none has been made. */
    public static Attempts of(LoadBalancer balancer, RequestFacts request) {
        return of(balancer, request, null);
    }

    /**
     * The tries of one request, of which none has been made.
     *
     * @param override says how often and when it is sent again, in place of the policies of the services, whose budget it
     *     is subject to; where it allows more tries than there are servers, these are asked anew. Null: theirs hold
     */
    public static Attempts of(LoadBalancer balancer, RequestFacts request, @Nullable RetryPolicy override) {
        return new Attempts(balancer, request, RandomSource.threadLocal(), override);
    }

    /** The policy that holds for a try. */
    public RetryPolicy policy(Pick pick) {
        RetryPolicy instead = override;
        return instead == null ? pick.settings().retry() : instead;
    }

    private int maxTries() {
        RetryPolicy instead = override;
        return instead == null ? balancer.maxTries() : instead.attempts();
    }

    /**
     * The first server, without waiting for a place at one.
     *
     * @throws NoEndpointException no server of the service can be used, or those that can be are at their limits
     */
    public Pick first() {
        balancer.retryBudget().request();
        return begin(balancer.pick(request));
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
        return begin(Admission.enter(balancer, request, isGivenUp));
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
                entrant.admitted(begin(pick));
            }

            @Override
            public void refused(NoEndpointException why) {
                entrant.refused(why);
            }
        });
    }

    private Pick begin(Pick pick) {
        current = pick;
        long limit = policy(pick).timeout().toNanos();
        limited = limit > 0;
        if (limited) {
            deadline = now() + limit;
        }
        return pick;
    }

    /**
     * Ends the current try by its outcome and gives the next one, without waiting.
     *
     * @param outcome how it ended, before the head of an answer arrived
     * @param bodyAvailable whether the request's body, if it has one, can still be sent from its beginning
     * @return the next try; null when there is to be none, and the failure is the caller's answer
     */
    public @Nullable Pick next(Outcome outcome, boolean bodyAvailable) {
        return failed(outcome, bodyAvailable) ? proceed() : null;
    }

    /**
     * Ends the current try by its outcome, before the head of an answer arrived.
     *
     * @param bodyAvailable whether the request's body, if it has one, can still be sent from its beginning
     * @return whether the request goes on: {@link #proceed} is to be called after {@link #delayNanos}. False when the
     *     failure is the caller's answer
     */
    public boolean failed(Outcome outcome, boolean bodyAvailable) {
        Pick failed = ended(outcome);
        return bodyAvailable && allows(failed, outcome) && prepare(failed, outcome, 0, false);
    }

    /**
     * Says that the head of an answer has arrived for the current try.
     *
     * @param status the answer's status
     * @param retryAfter its {@code Retry-After}; null where it has none
     * @param date its {@code Date}; null where it has none
     * @param bodyAvailable whether the request's body, if it has one, can still be sent from its beginning
     * @return false when the answer is to be passed on, and the try goes on until the answer's end; at a limit it may have
     *     been ended, to make room for a next one that was not to be had then. True when it is to be
     *     thrown away and the request goes on as after {@link #failed}; the try has been ended
     */
    public boolean answered(int status, @Nullable String retryAfter, @Nullable String date, boolean bodyAvailable) {
        Pick answered = current;
        if (answered == null) {
            throw new IllegalStateException("no try is under way");
        }
        RetryPolicy policy = policy(answered);
        if (!bodyAvailable || !policy.statuses().contains(status) || !isRepeatable(policy)) {
            return false;
        }
        long asked = policy.retryAfter()
                ? Math.min(
                        RetryAfter.nanos(retryAfter, date),
                        policy.maxRetryAfter().toNanos())
                : 0;
        Outcome outcome = Outcome.status(status);
        if (!prepare(answered, outcome, asked, true)) {
            return false;
        }
        endAnswered(answered, outcome);
        current = null;
        return true;
    }

    /** How long to wait before {@link #proceed}, in nanoseconds; 0: not at all. */
    public long delayNanos() {
        return delay;
    }

    /**
     * The next try, after the request was said to go on.
     *
     * @return null when in the time of waiting the last server has become unusable: the caller's answer is that, or the
     *     failure before
     */
    public @Nullable Pick proceed() {
        Pick next = prepared;
        prepared = null;
        if (waiting) {
            waiting = false;
            next = pick();
        }
        current = next;
        return next;
    }

    /** Gives up a try that has been prepared and is not wanted any more; nothing happens where there is none. */
    public void cancel() {
        waiting = false;
        Pick next = prepared;
        prepared = null;
        if (next != null) {
            next.cancel();
        }
    }

    /** Whether the current try must not use a kept-alive connection. */
    public boolean needsFreshConnection() {
        return fresh;
    }

    /**
     * How long the current try may take to the head of its answer, in nanoseconds: the stricter of the limit of one try
     * and what is left of that of all; {@link Long#MAX_VALUE}: no limit. At least 1.
     */
    public long tryLimitNanos() {
        Pick running = current;
        long perTry = running == null ? 0 : policy(running).perTryTimeout().toNanos();
        long limit = perTry > 0 ? perTry : Long.MAX_VALUE;
        return limited ? Math.max(1, Math.min(limit, deadline - now())) : limit;
    }

    /**
     * The copies of the current try, if it may have any.
     *
     * @param bodiless whether the request has no body
     * @return null when there are to be none
     */
    public @Nullable Copies copies(boolean bodiless) {
        Pick running = current;
        return running == null || !bodiless ? null : Copies.of(this, running, balancer, request);
    }

    // What Copies needs.

    long now() {
        return balancer.retryBudget().ticker().nanoTime();
    }

    /** A server that neither has failed the request nor is asked by one of its copies. */
    @Nullable
    Pick pickCopy(Pick running) {
        copied(running);
        return balancer.tryPick(request, avoidedAndCopied());
    }

    void copied(Pick running) {
        copied.add(running.endpoint().id());
    }

    /** From now on the request depends on this try. */
    void follow(Pick running) {
        current = running;
        fresh = false;
    }

    /** A copy has failed while another goes on; its pick is ended by {@link Copies}. */
    void copyFailed(Pick failed, Outcome outcome) {
        if (outcome.kind() != Outcome.Kind.STALE && outcome.kind() != Outcome.Kind.CANCELLED) {
            failures++;
            avoided = with(avoided, failed.endpoint().id(), failed.service());
            tried = with(tried, failed.endpoint().id(), failed.service());
        }
    }

    // Deciding.

    private Pick ended(Outcome outcome) {
        Pick failed = current;
        if (failed == null) {
            throw new IllegalStateException("no try is under way");
        }
        failed.done(outcome);
        current = null;
        return failed;
    }

    private boolean allows(Pick failed, Outcome outcome) {
        RetryPolicy policy = policy(failed);
        switch (outcome.kind()) {
            case STALE:
                return true;
            case CONNECT_FAILED:
                return policy.failures().contains(RetryPolicy.Failure.CONNECT);
            case BROKEN:
                return policy.failures().contains(RetryPolicy.Failure.BROKEN) && isRepeatable(policy);
            case TIMED_OUT:
                return policy.failures().contains(RetryPolicy.Failure.TIMEOUT) && isRepeatable(policy);
            default:
                return false;
        }
    }

    private boolean isRepeatable(RetryPolicy policy) {
        return policy.methods().contains(request.method());
    }

    /** Counts a try that has ended, and finds out whether there can be another; no answer has been thrown away yet. */
    private boolean prepare(Pick failed, Outcome outcome, long asked, boolean hasAnswer) {
        count(failed, outcome);
        if (stale > MAX_STALE || failures >= maxTries()) {
            return false;
        }
        delay = Math.max(asked, backoff(failed, outcome));
        if (limited && deadline - now() <= delay) {
            return false;
        }
        RetryBudget budget = outcome.kind().nothingSent() ? null : balancer.retryBudget();
        if (budget != null && !budget.tryRetry()) {
            return false;
        }
        boolean goesOn = false;
        try {
            goesOn = delay > 0 ? prepareWait() : prepareNow(failed, outcome, hasAnswer);
        } finally {
            if (!goesOn && budget != null) {
                budget.giveBack();
            }
        }
        return goesOn;
    }

    private boolean prepareWait() {
        waiting = balancer.isUp();
        return waiting;
    }

    private boolean prepareNow(Pick failed, Outcome outcome, boolean hasAnswer) {
        Pick next = pick();
        if (next == null && hasAnswer && balancer.isFull()) {
            // The place that is missing may be the one that the answer's own try holds.
            endAnswered(failed, outcome);
            next = pick();
        }
        prepared = next;
        return next != null;
    }

    private static void endAnswered(Pick answered, Outcome outcome) {
        answered.responded(outcome.status());
        answered.done(outcome);
    }

    private void count(Pick failed, Outcome outcome) {
        String id = failed.endpoint().id();
        fresh = false;
        if (outcome.kind() == Outcome.Kind.STALE) {
            if (!failed.isKept() || stale >= MAX_STALE_KEPT) {
                avoided = with(avoided, id, "");
            }
            stale++;
            return;
        }
        failures++;
        avoided = with(avoided, id, failed.service());
        if (outcome.isOnKeptAlive() && !crossed) {
            crossed = true;
            crossing = failed;
        } else {
            tried = with(tried, id, failed.service());
        }
    }

    private long backoff(Pick failed, Outcome outcome) {
        Backoff backoff = policy(failed).backoff();
        switch (outcome.kind()) {
            case STALE:
                return 0;
            case CONNECT_FAILED:
                return backoff.afterConnect() ? backoff.nanos(failures, random) : 0;
            default:
                return backoff.nanos(failures, random);
        }
    }

    private @Nullable Pick pick() {
        Pick closed = crossing;
        crossing = null;
        Pick next = balancer.tryPick(request, avoidedAndCopied());
        if (next == null && (stale > 0 || closed != null || !copied.isEmpty())) {
            // No other is left, and those of the stale connections and of the copies are not to blame.
            next = balancer.tryPick(request, tried);
        }
        if (closed != null) {
            fresh = next != null
                    && next.endpoint().id().equals(closed.endpoint().id());
            tried = with(tried, closed.endpoint().id(), closed.service());
        }
        if (next == null && (delay > 0 || override != null)) {
            // All have failed, and had the time of a wait to recover; or are asked anew since the request's own policy
            // says so.
            tried = Tried.NONE;
            avoided = Tried.NONE;
            copied.clear();
            next = balancer.tryPick(request, Tried.NONE);
        }
        return next;
    }

    /** Copies count for no service: how many there may be, the hedging says, and not the number of tries. */
    private Tried avoidedAndCopied() {
        if (copied.isEmpty()) {
            return avoided;
        }
        Tried all = avoided.copy();
        copied.forEach(all::add);
        return all;
    }

    private static Tried with(Tried before, String id, String service) {
        Tried after = before.isEmpty() ? Tried.create() : before;
        after.add(id, service);
        return after;
    }
}
