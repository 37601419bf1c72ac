package io.fairlead;

import io.fairlead.limit.LearntLimit;
import io.fairlead.limit.ServiceLimit;
import io.fairlead.retry.Hedging;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/** A request under way to one endpoint of an {@link EndpointLoadBalancer}. */
final class EndpointPick implements Pick {
    private static final AtomicIntegerFieldUpdater<EndpointPick> STAGE =
            AtomicIntegerFieldUpdater.newUpdater(EndpointPick.class, "stage");
    private static final int UNDER_WAY = 0;
    private static final int RESPONDED = 1;
    private static final int ENDED = 2;
    /** From this status on an answer says that the server could not do its work. */
    private static final int ERROR = 500;

    private final EndpointLoadBalancer balancer;
    private final Node node;
    private final long start;
    /** Where this request is counted out in the end; null: it was not counted in. */
    private final @Nullable ServiceLimit counted;
    /** What the circuit breaker said. */
    private final int probe;

    @SuppressWarnings("unused") // Through STAGE.
    private volatile int stage;

    /** A request that has been begun: in flight at the server, and counted in. */
    EndpointPick(EndpointLoadBalancer balancer, Node node, long now, @Nullable ServiceLimit counted, int probe) {
        this.balancer = balancer;
        this.node = node;
        this.start = now;
        this.counted = counted;
        this.probe = probe;
    }

    @Override
    public Endpoint endpoint() {
        return node.endpoint;
    }

    @Override
    public String service() {
        return balancer.name();
    }

    @Override
    public ServiceSettings settings() {
        return balancer.settings();
    }

    @Override
    public void responded() {
        responded(0);
    }

    @Override
    public void responded(int status) {
        if (STAGE.compareAndSet(this, UNDER_WAY, RESPONDED)) {
            answered(status);
            balancer.learning().connected(node.state);
        }
    }

    private void answered(int status) {
        long now = balancer.ticker().nanoTime();
        node.responded(start, status >= ERROR, now);
        LearntLimit limit = node.state.learntLimit();
        if (limit != null && status < ERROR) {
            limit.answered(now - start, node.inFlight(), now);
        }
    }

    private void failed(boolean withAnswer, boolean isFirst) {
        long now = balancer.ticker().nanoTime();
        if (isFirst && withAnswer) {
            node.responded(start, true, now);
        } else if (isFirst) {
            node.failed(start, now);
        }
        LearntLimit limit = node.state.learntLimit();
        if (limit != null) {
            limit.failed(start, now);
        }
    }

    @Override
    public void done(Outcome outcome) {
        int before = STAGE.getAndSet(this, ENDED);
        if (before == ENDED) {
            return;
        }
        if (outcome.kind() == Outcome.Kind.SUCCESS) {
            if (before == UNDER_WAY) {
                answered(outcome.status());
            }
        } else if (outcome.kind().isFailure()) {
            failed(outcome.kind() == Outcome.Kind.BAD_STATUS, before == UNDER_WAY);
        }
        leave(outcome);
    }

    private void leave(Outcome outcome) {
        node.state.end();
        if (counted != null) {
            counted.leave();
        }
        try {
            balancer.learning().learn(node.state, outcome, probe, start);
        } finally {
            balancer.placeFreed();
        }
    }

    @Override
    public void outrun() {
        int before = STAGE.getAndSet(this, ENDED);
        if (before == ENDED) {
            return;
        }
        if (before == UNDER_WAY) {
            node.outrun(start, balancer.ticker().nanoTime());
        }
        leave(Outcome.cancelled());
    }

    @Override
    public @Nullable Hedging hedging() {
        return balancer.hedging();
    }

    @Override
    public String toString() {
        return "Pick{" + balancer.name() + " -> " + node.endpoint.id() + "}";
    }
}
