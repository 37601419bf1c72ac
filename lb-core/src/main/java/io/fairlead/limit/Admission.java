package io.fairlead.limit;

import io.fairlead.LoadBalancer;
import io.fairlead.NoEndpointException;
import io.fairlead.Pick;
import io.fairlead.RequestFacts;
import io.fairlead.Tried;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The way of a request to its first server: at once where there is a place, else through the service's
 * {@link WaitingLine}. A request that comes while others of its service wait goes behind them.
 */
public final class Admission {
    /** How often one who waits in a thread looks whether the request has been given up meanwhile. */
    private static final long LOOK_MILLIS = 10;

    /** So often a request misses a place that others have left and taken; then it is told that there is none. */
    private static final int MAX_MISSES = 16;

    private Admission() {}

    /**
     * Picks a server, or waits for one without holding a thread.
     *
     * @param entrant told of the outcome, perhaps before this method returns; not where this method throws
     * @return the place in the line, to give up waiting; null: the entrant has been told
     * @throws NoEndpointException no server can be used, or all are at their limits and no more requests may wait
     */
    public static WaitingLine.@Nullable Ticket enter(LoadBalancer balancer, RequestFacts request, Entrant entrant) {
        WaitingLine line = balancer.waitingLine();
        boolean others = line != null && line.size() > 0 && line.service().equals(balancer.name());
        if (!others) {
            boolean full = true;
            for (int i = 0; i < MAX_MISSES; i++) {
                Pick pick = balancer.tryPick(request, Tried.NONE);
                if (pick != null) {
                    entrant.admitted(pick);
                    return null;
                }
                full = balancer.isFull();
                if (full || !balancer.isUp()) {
                    break;
                }
                // It was full until just now: a place has become free since the pick was refused.
            }
            line = balancer.waitingLine();
            if (!full) {
                throw new NoEndpointException(balancer.name(), false);
            }
        }
        if (line == null || !line.isOpen()) {
            throw new NoEndpointException(balancer.name(), balancer.isFull());
        }
        WaitingLine.Ticket ticket = line.join(() -> balancer.tryPick(request, Tried.NONE), balancer::isFull, entrant);
        if (ticket == null) {
            throw new NoEndpointException(balancer.name(), true);
        }
        return ticket;
    }

    /**
     * Picks a server, or waits for one in the calling thread.
     *
     * @param isGivenUp asked from time to time while waiting, whether nobody wants the request any more
     * @throws NoEndpointException no server can be used, or all are at their limits and no more requests may wait, or
     *     the time of waiting ran out
     * @throws CancellationException the request has been given up
     * @throws InterruptedException the thread was interrupted while it waited
     */
    public static Pick enter(LoadBalancer balancer, RequestFacts request, BooleanSupplier isGivenUp)
            throws InterruptedException {
        if (balancer.waitingLine() == null) {
            // Most often: without a line there is nothing to wait in.
            Pick pick = balancer.tryPick(request, Tried.NONE);
            if (pick != null) {
                return pick;
            }
        }
        Waiter waiter = new Waiter();
        WaitingLine.Ticket ticket = enter(balancer, request, waiter);
        try {
            while (ticket != null && !waiter.told.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                if (isGivenUp.getAsBoolean()) {
                    throw new CancellationException("given up while waiting for a server of '" + balancer.name() + "'");
                }
            }
            return waiter.result();
        } catch (InterruptedException | RuntimeException e) {
            if (ticket != null && !ticket.leave()) {
                waiter.giveBack();
            }
            throw e;
        }
    }

    /** A thread that waits. */
    private static final class Waiter implements Entrant {
        final CountDownLatch told = new CountDownLatch(1);

        // Guarded by this.
        private @Nullable Pick pick;
        private @Nullable NoEndpointException why;
        private boolean isGone;

        @Override
        public void admitted(Pick admitted) {
            synchronized (this) {
                if (!isGone) {
                    pick = admitted;
                    told.countDown();
                    return;
                }
            }
            admitted.cancel();
        }

        @Override
        public synchronized void refused(NoEndpointException refusal) {
            why = refusal;
            told.countDown();
        }

        synchronized Pick result() {
            if (pick != null) {
                return pick;
            }
            throw why != null ? why : new IllegalStateException("nobody has told the outcome");
        }

        void giveBack() {
            Pick unwanted;
            synchronized (this) {
                isGone = true;
                unwanted = pick;
            }
            if (unwanted != null) {
                unwanted.cancel();
            }
        }
    }
}
