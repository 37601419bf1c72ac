package io.fairlead;

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

    private final EndpointLoadBalancer balancer;
    private final Node node;
    private final long start;

    @SuppressWarnings("unused") // Through STAGE.
    private volatile int stage;

    EndpointPick(EndpointLoadBalancer balancer, Node node, long now) {
        this.balancer = balancer;
        this.node = node;
        this.start = now;
        node.state.begin(now);
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
        if (STAGE.compareAndSet(this, UNDER_WAY, RESPONDED)) {
            node.responded(start, balancer.ticker().nanoTime());
            balancer.learning().connected(node.state);
        }
    }

    @Override
    public void done(Outcome outcome) {
        int before = STAGE.getAndSet(this, ENDED);
        if (before == ENDED) {
            return;
        }
        if (before == UNDER_WAY && outcome.kind() == Outcome.Kind.SUCCESS) {
            node.responded(start, balancer.ticker().nanoTime());
        }
        node.state.end();
        balancer.learning().learn(node.state, outcome);
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
        node.state.end();
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
