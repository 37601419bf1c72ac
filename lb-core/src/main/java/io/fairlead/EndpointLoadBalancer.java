package io.fairlead;

import io.fairlead.limit.WaitingLine;
import io.fairlead.observe.EndpointSnapshot;
import io.fairlead.observe.ServiceSnapshot;
import io.fairlead.observe.StateListener;
import io.fairlead.retry.Hedging;
import io.fairlead.retry.RetryBudget;
import io.fairlead.sticky.Affinity;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A service of endpoints: puts together which servers there are ({@link Membership}), the roster of the moment
 * ({@link CurrentRoster}), how requests are given to them ({@link Picking}) and what their ends teach ({@link Learning}).
 */
final class EndpointLoadBalancer implements LoadBalancer {
    private final String name;
    private final Scheduler scheduler;
    private final boolean ownScheduler;
    private final WaitingLine line;
    private final CurrentRoster roster;
    private final Picking picking;
    private final Learning learning;
    private final Hedging hedging;
    /** Guarded by the roster's lock. */
    private final Checks checks;

    private final Membership members;

    private volatile ServiceSettings settings;
    private volatile RetryBudget budget;

    private EndpointLoadBalancer(LoadBalancerBuilder builder) {
        name = builder.name;
        // What may fail comes first: nobody would close the scheduler.
        Balancing balancing = Balancing.of(builder);
        Affinity affinity = builder.affinity();
        ownScheduler = builder.scheduler == null;
        scheduler = builder.scheduler == null ? Scheduler.system() : builder.scheduler;
        settings = builder.settings;
        budget = settings.retry().newBudget(scheduler);
        hedging = new Hedging(scheduler);
        hedging.follow(settings.hedge());
        line = new WaitingLine(name, scheduler);
        PickClock clock = new PickClock(scheduler.nanoTime());
        roster = new CurrentRoster(name, balancing, scheduler, builder.random, clock, line);
        picking = new Picking(this, roster, scheduler, clock, line);
        picking.guardBy(builder);
        picking.keepBy(affinity);
        learning = new Learning(scheduler, roster, builder.random);
        learning.ejectBy(builder.passiveHealthCheck);
        checks = new Checks(scheduler, builder.random, roster::changed);
        checks.checkBy(builder.healthCheck, roster.get().nodes.values());
        members = new Membership(name, roster, picking, checks);
    }

    static LoadBalancer start(LoadBalancerBuilder builder) {
        EndpointLoadBalancer balancer = new EndpointLoadBalancer(builder);
        try {
            balancer.update(builder.endpoints);
        } catch (RuntimeException e) {
            balancer.close();
            throw e;
        }
        return balancer;
    }

    /**
     * Takes over another description of this service; what was learnt of the servers that stay is kept.
     *
     * @throws RuntimeException the strategy, one of the user's own, has failed, and nothing has changed
     */
    void reconfigure(LoadBalancerBuilder builder) {
        synchronized (roster.lock) {
            Affinity affinity = builder.affinity();
            members.replace(
                    builder.endpoints, builder.healthCheck, roster.balancing().changed(builder));
            resettle(builder.settings);
            picking.keepBy(affinity);
            picking.guardBy(builder);
            learning.ejectBy(builder.passiveHealthCheck);
            checks.checkBy(builder.healthCheck, roster.get().nodes.values());
            // Who was out by what no longer holds can be used now.
            roster.rebuildOrStay();
            members.followChecks();
        }
        roster.tell();
    }

    private void resettle(ServiceSettings next) {
        ServiceSettings before = settings;
        settings = next;
        if (!next.retry().hasBudgetOf(before.retry())) {
            budget = next.retry().newBudget(scheduler);
        }
        if (!Objects.equals(next.hedge(), before.hedge())) {
            hedging.follow(next.hedge());
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public @Nullable Pick tryPick(RequestFacts request, Tried tried) {
        return !tried.isEmpty() && tried.countOf(name) >= maxTries() ? null : picking.pick(request, tried);
    }

    @Override
    public boolean isFull() {
        return picking.isFull();
    }

    @Override
    public long nanosToNextServer() {
        return roster.get().nanosToNextServer(scheduler.nanoTime());
    }

    @Override
    public @Nullable WaitingLine waitingLine() {
        return line.isOpen() ? line : null;
    }

    /** A request has ended. */
    void placeFreed() {
        line.moved();
    }

    @Override
    public int maxTries() {
        return settings.retry().attempts();
    }

    @Override
    public RetryBudget retryBudget() {
        return budget;
    }

    @Override
    public boolean isUp() {
        return roster.get().isUp();
    }

    ServiceSettings settings() {
        return settings;
    }

    Hedging hedging() {
        return hedging;
    }

    Ticker ticker() {
        return scheduler;
    }

    /** What is picked from at this moment. */
    Roster roster() {
        return roster.get();
    }

    Learning learning() {
        return learning;
    }

    @Override
    public void add(Endpoint endpoint) {
        members.add(endpoint);
    }

    @Override
    public boolean remove(String id) {
        return members.remove(id);
    }

    @Override
    public void update(Collection<Endpoint> endpoints) {
        members.update(endpoints);
    }

    @Override
    public boolean fence(String id) {
        return members.fence(id, true);
    }

    @Override
    public boolean unfence(String id) {
        return members.fence(id, false);
    }

    @Override
    public CompletionStage<Void> drained(String id) {
        Node node = roster.get().nodes.get(id);
        if (node == null) {
            throw new IllegalArgumentException("service '" + name + "' has no server with the id '" + id + "'");
        }
        return node.state.drained().thenRun(() -> {});
    }

    @Override
    public ServiceSnapshot snapshot() {
        Roster now = roster.get();
        int most = picking.mostPerServer();
        long moment = scheduler.nanoTime();
        List<EndpointSnapshot> endpoints = new ArrayList<>(now.nodes.size());
        for (Node node : now.nodes.values()) {
            endpoints.add(node.snapshot(moment, now.weights.factor(node), most));
        }
        return new ServiceSnapshot(name, roster.balancing().strategy.name(), now.isUp(), line.size(), endpoints);
    }

    @Override
    public void forEachServer(BiConsumer<EndpointSnapshot, ServiceSettings> told) {
        ServiceSettings now = settings;
        snapshot().endpoints().forEach(server -> told.accept(server, now));
    }

    @Override
    public void addListener(StateListener listener) {
        roster.listeners.add(listener);
    }

    @Override
    public void removeListener(StateListener listener) {
        roster.listeners.remove(listener);
    }

    @Override
    public void close() {
        synchronized (roster.lock) {
            checks.close();
            learning.close();
            roster.close();
        }
        line.close();
        if (ownScheduler) {
            scheduler.close();
        }
    }

    @Override
    public String toString() {
        return "LoadBalancer{" + name + "}";
    }
}
