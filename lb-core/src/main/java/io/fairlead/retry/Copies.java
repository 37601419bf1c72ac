package io.fairlead.retry;

import io.fairlead.LoadBalancer;
import io.fairlead.Outcome;
import io.fairlead.Pick;
import io.fairlead.RequestFacts;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The hedging of one try: when a copy of the request goes to another server, and what becomes of the copies. The adapter
 * sends them; the first answer wins.
 *
 * <p>Those that lose end by {@link Pick#outrun}: they have not failed, and their server is known to be slower than the
 * time they had. A copy that fails while another runs is the end of that copy alone; the last one to fail is the end of
 * the try, of which {@link Attempts} decides as of any other.
 *
 * <p>Belongs to one request, as {@link Attempts}: calls must be ordered, from whatever threads.
 */
public final class Copies {
    private final Attempts attempts;
    private final Hedging hedging;
    private final HedgePolicy policy;
    private final long start;
    private final List<Pick> running = new ArrayList<>();
    private int extra;

    private Copies(Attempts attempts, Hedging hedging, HedgePolicy policy, Pick first) {
        this.attempts = attempts;
        this.hedging = hedging;
        this.policy = policy;
        start = attempts.now();
        running.add(first);
    }

    static @Nullable Copies of(Attempts attempts, Pick first, LoadBalancer balancer, RequestFacts request) {
        Hedging hedging = first.hedging();
        HedgePolicy policy = hedging == null ? null : hedging.policy();
        if (hedging == null || policy == null || first.isKept() || !Hedging.isFor(request)) {
            return null;
        }
        hedging.request(policy);
        return new Copies(attempts, hedging, policy, first);
    }

    /**
     * How long from now until the next copy, in nanoseconds; {@link Long#MAX_VALUE}: there is to be none, since as many
     * are under way as may be, or too little is known of the service's latency.
     */
    public long delayNanos() {
        if (extra >= policy.maxExtra()) {
            return Long.MAX_VALUE;
        }
        long delay = hedging.delayNanos(policy);
        if (delay >= Long.MAX_VALUE / (extra + 1)) {
            return Long.MAX_VALUE;
        }
        return Math.max(0, start + delay * (extra + 1) - attempts.now());
    }

    /**
     * The server for the next copy, whose time has come.
     *
     * @return null when there is to be none: no budget, or no other server of the same service
     */
    public @Nullable Pick next() {
        List<Runnable> ends = new ArrayList<>();
        Pick copy = next(ends::add);
        ends.forEach(Runnable::run);
        return copy;
    }

    /**
     * As {@link #next()}, for a caller that holds a lock: the ends of picks, of which others are told, are left to him.
     *
     * @param ends takes what is to be run when the lock has been left
     */
    public @Nullable Pick next(Consumer<Runnable> ends) {
        if (extra >= policy.maxExtra()) {
            return null;
        }
        // Its time has passed, whatever comes of it.
        extra++;
        if (running.isEmpty() || !hedging.tryCopy()) {
            return null;
        }
        Pick copy = attempts.pickCopy(running.get(0));
        if (copy == null) {
            return null;
        }
        if (!copy.service().equals(running.get(0).service())) {
            // That of a fallback, or of another part: a slow answer is no reason to go there.
            ends.accept(copy::cancel);
            return null;
        }
        running.add(copy);
        attempts.copied(copy);
        return copy;
    }

    /**
     * The head of an answer has arrived for one of the copies: it is the current try of {@link Attempts} from now on, and
     * the picks of the others have been ended.
     *
     * @return false when another one has won before, and this one is to be thrown away
     */
    public boolean won(Pick winner) {
        List<Runnable> ends = new ArrayList<>();
        boolean first = won(winner, ends::add);
        ends.forEach(Runnable::run);
        return first;
    }

    /**
     * As {@link #won(Pick)}, for a caller that holds a lock: the ends of picks, of which others are told, are left to him.
     *
     * @param ends takes what is to be run when the lock has been left
     */
    public boolean won(Pick winner, Consumer<Runnable> ends) {
        if (!running.contains(winner)) {
            return false;
        }
        hedging.answered(attempts.now() - start);
        for (Pick loser : running) {
            if (loser != winner) {
                ends.accept(loser::outrun);
            }
        }
        running.clear();
        attempts.follow(winner);
        return true;
    }

    /**
     * One of the copies has failed before the head of its answer.
     *
     * @return true when it was the last one: {@link Attempts} is to be told of the failure, as that of its current try.
     *     False when others go on, or one has won, and the failure is nobody's answer
     */
    public boolean failed(Pick failed, Outcome outcome) {
        List<Runnable> ends = new ArrayList<>();
        boolean last = failed(failed, outcome, ends::add);
        ends.forEach(Runnable::run);
        return last;
    }

    /**
     * As {@link #failed(Pick, Outcome)}, for a caller that holds a lock: the ends of picks, of which others are told, are
     * left to him.
     *
     * @param ends takes what is to be run when the lock has been left
     */
    public boolean failed(Pick failed, Outcome outcome, Consumer<Runnable> ends) {
        if (!running.remove(failed)) {
            return false;
        }
        if (running.isEmpty()) {
            attempts.follow(failed);
            return true;
        }
        attempts.copyFailed(failed, outcome);
        ends.accept(() -> failed.done(outcome));
        return false;
    }

    /** Ends the picks of all copies: the caller has given the request up. */
    public void cancel() {
        List<Runnable> ends = new ArrayList<>();
        cancel(ends::add);
        ends.forEach(Runnable::run);
    }

    /**
     * As {@link #cancel()}, for a caller that holds a lock: the ends of picks, of which others are told, are left to him.
     *
     * @param ends takes what is to be run when the lock has been left
     */
    public void cancel(Consumer<Runnable> ends) {
        for (Pick given : running) {
            ends.accept(given::cancel);
        }
        running.clear();
    }
}
