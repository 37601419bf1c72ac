package io.fairlead.compose;

import io.fairlead.Endpoint;
import io.fairlead.LoadBalancer;
import io.fairlead.ServiceSettings;
import io.fairlead.Ticker;
import io.fairlead.limit.WaitingLine;
import io.fairlead.observe.EndpointSnapshot;
import io.fairlead.observe.Listeners;
import io.fairlead.observe.ServiceSnapshot;
import io.fairlead.observe.StateChange;
import io.fairlead.observe.StateListener;
import io.fairlead.retry.RetryBudget;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A service made of services. It has no servers of its own: picks, fences and snapshots are those of its parts, which
 * belong to whoever made them and are not closed from here.
 */
abstract class ComposedLoadBalancer implements LoadBalancer {
    private static final double RETRY_SHARE = 0.2;
    private static final double RETRIES_PER_SECOND = 10;

    private final String name;
    private final String kind;
    private final List<LoadBalancer> parts;
    private final RetryBudget budget;
    private final Listeners listeners = new Listeners();
    private final StateListener ofParts = this::partChanged;

    // Guarded by listeners.
    private boolean wasUp;

    ComposedLoadBalancer(String name, String kind, List<LoadBalancer> parts, Ticker ticker) {
        this.name = name;
        this.kind = kind;
        this.parts = Collections.unmodifiableList(new ArrayList<>(parts));
        budget = new RetryBudget(ticker, RETRY_SHARE, RETRIES_PER_SECOND);
    }

    /** Begins to follow its parts; the last thing that a constructor does. */
    final void follow() {
        parts.forEach(part -> part.addListener(ofParts));
        synchronized (listeners) {
            wasUp = isUp();
        }
    }

    private void partChanged(StateChange change) {
        if (change.endpoint() != null) {
            return;
        }
        synchronized (listeners) {
            boolean isUp = isUp();
            if (isUp != wasUp) {
                wasUp = isUp;
                listeners.note(StateChange.ofService(name, isUp));
            }
        }
        listeners.tell();
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final RetryBudget retryBudget() {
        return budget;
    }

    @Override
    public final void add(Endpoint endpoint) {
        throw unsupported();
    }

    @Override
    public final boolean remove(String id) {
        throw unsupported();
    }

    @Override
    public final void update(Collection<Endpoint> endpoints) {
        throw unsupported();
    }

    /** Whether one of its services is full, and so no service of it that is not has a server for a request. */
    @Override
    public final boolean isFull() {
        for (LoadBalancer leaf : leaves()) {
            if (leaf.isFull()) {
                return true;
            }
        }
        return false;
    }

    @Override
    public final long nanosToNextServer() {
        long soonest = -1;
        for (LoadBalancer leaf : leaves()) {
            long out = leaf.nanosToNextServer();
            if (out >= 0 && (soonest < 0 || out < soonest)) {
                soonest = out;
            }
        }
        return soonest;
    }

    /** That of the first of its services which is full and lets requests wait. */
    @Override
    public final @Nullable WaitingLine waitingLine() {
        for (LoadBalancer leaf : leaves()) {
            WaitingLine line = leaf.waitingLine();
            if (line != null && leaf.isFull()) {
                return line;
            }
        }
        return null;
    }

    private UnsupportedOperationException unsupported() {
        return new UnsupportedOperationException("service '" + name + "' (" + kind
                + ") is made of other services and has no servers of its own; change theirs");
    }

    @Override
    public final boolean fence(String id) {
        boolean found = false;
        for (LoadBalancer leaf : leaves()) {
            found |= leaf.fence(id);
        }
        return found;
    }

    @Override
    public final boolean unfence(String id) {
        boolean found = false;
        for (LoadBalancer leaf : leaves()) {
            found |= leaf.unfence(id);
        }
        return found;
    }

    @Override
    public final CompletionStage<Void> drained(String id) {
        CompletableFuture<Void> all = CompletableFuture.completedFuture(null);
        boolean found = false;
        for (LoadBalancer leaf : leaves()) {
            if (leaf.snapshot().endpoint(id) != null) {
                found = true;
                all = CompletableFuture.allOf(all, leaf.drained(id).toCompletableFuture());
            }
        }
        if (!found) {
            throw new IllegalArgumentException("service '" + name + "' has no server with the id '" + id + "'");
        }
        return all;
    }

    @Override
    public final void addListener(StateListener listener) {
        listeners.add(listener);
    }

    @Override
    public final void removeListener(StateListener listener) {
        listeners.remove(listener);
    }

    @Override
    public final void forEachServer(BiConsumer<EndpointSnapshot, ServiceSettings> told) {
        leaves().forEach(leaf -> leaf.forEachServer(told));
    }

    @Override
    public final ServiceSnapshot snapshot() {
        List<EndpointSnapshot> endpoints = new ArrayList<>();
        for (LoadBalancer leaf : leaves()) {
            endpoints.addAll(leaf.snapshot().endpoints());
        }
        return new ServiceSnapshot(name, kind, isUp(), endpoints);
    }

    @Override
    public final void close() {
        // Its parts may be parts of other services too, and go on.
        parts.forEach(part -> part.removeListener(ofParts));
    }

    @Override
    public final String toString() {
        return getClass().getSimpleName() + "{" + name + "}";
    }

    /** The services at the bottom, each once, in the order of the parts. */
    private List<LoadBalancer> leaves() {
        List<LoadBalancer> leaves = new ArrayList<>();
        addLeaves(leaves, Collections.newSetFromMap(new IdentityHashMap<>()));
        return leaves;
    }

    private void addLeaves(List<LoadBalancer> leaves, Set<LoadBalancer> seen) {
        for (LoadBalancer part : parts) {
            if (!seen.add(part)) {
                continue;
            }
            if (part instanceof ComposedLoadBalancer) {
                ((ComposedLoadBalancer) part).addLeaves(leaves, seen);
            } else {
                leaves.add(part);
            }
        }
    }
}
