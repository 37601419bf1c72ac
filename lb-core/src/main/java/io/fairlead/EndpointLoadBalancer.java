package io.fairlead;

import io.fairlead.observe.EndpointSnapshot;
import io.fairlead.observe.ServiceSnapshot;
import io.fairlead.retry.Hedging;
import io.fairlead.retry.RetryBudget;
import io.fairlead.strategy.RandomSource;
import io.fairlead.strategy.RecentFailures;
import io.fairlead.strategy.Strategies;
import io.fairlead.strategy.Strategy;
import io.fairlead.strategy.StrategyOptions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A service of endpoints. Picks read one volatile roster; changes are made one at a time under a lock and swap in a new
 * one.
 */
final class EndpointLoadBalancer implements LoadBalancer {
    private static final Logger log = LoggerFactory.getLogger(LoadBalancer.class);
    /** Up to so many endpoints a roster is rebuilt by the thread whose request changed it; above, by the timer's. */
    private static final int REBUILD_AT_ONCE = 256;

    private final String name;
    private final Scheduler scheduler;
    private final boolean ownScheduler;
    private final RandomSource random;
    private final Hedging hedging;
    private final PickClock clock;
    private final Learning learning;
    private final RecentFailures recentFailures = RecentFailures.counted();
    private final Object lock = new Object();

    private volatile Roster roster = Roster.empty();
    private volatile ServiceSettings settings;
    private volatile RetryBudget budget;
    private volatile boolean closed;

    // Guarded by lock.
    private Strategy strategy;
    private String strategyName;
    private StrategyOptions options;
    private LatencyAverage averaging;
    private LevelOptions levels;
    private final WarmUps warmUps;
    private final Checks checks;
    private boolean rebuildScheduled;

    private EndpointLoadBalancer(LoadBalancerBuilder builder) {
        name = builder.name;
        strategy = strategy(builder);
        strategyName = builder.strategyName;
        options = builder.options;
        levels = builder.levels;
        averaging = new LatencyAverage(options.decay());
        settings = builder.settings;
        ownScheduler = builder.scheduler == null;
        scheduler = builder.scheduler == null ? Scheduler.system() : builder.scheduler;
        random = builder.random;
        budget = settings.retry().newBudget(scheduler);
        hedging = new Hedging(scheduler);
        hedging.follow(settings.hedge());
        clock = new PickClock(scheduler.nanoTime());
        learning = new Learning(name, scheduler, lock, () -> roster, this::changed);
        learning.ejectBy(builder.passiveHealthCheck, Collections.emptyList());
        warmUps = new WarmUps(scheduler, this::warmUp);
        checks = new Checks(name, scheduler, this::changed);
        checks.checkBy(builder.healthCheck, Collections.emptyList());
    }

    private static Strategy strategy(LoadBalancerBuilder builder) {
        return builder.strategy != null ? builder.strategy : Strategies.create(builder.strategyName, builder.options);
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

    /** Takes over another description of this service; what was learnt of the servers that stay is kept. */
    void reconfigure(LoadBalancerBuilder builder) {
        synchronized (lock) {
            Strategy oldStrategy = strategy;
            LevelOptions oldLevels = levels;
            Roster oldRoster = roster;
            LatencyAverage oldAveraging = averaging;
            if (!builder.strategyName.equals(strategyName) || !builder.options.equals(options)) {
                strategy = strategy(builder);
                averaging = new LatencyAverage(builder.options.decay());
                roster = oldRoster.withoutSequences();
            }
            levels = builder.levels;
            try {
                replace(builder.endpoints);
            } catch (RuntimeException e) {
                strategy = oldStrategy;
                levels = oldLevels;
                averaging = oldAveraging;
                roster = oldRoster;
                throw e;
            }
            strategyName = builder.strategyName;
            options = builder.options;
            resettle(builder.settings);
            learning.ejectBy(builder.passiveHealthCheck, roster.nodes.values());
            checks.checkBy(builder.healthCheck, roster.nodes.values());
            rebuild(roster.nodes);
            followChecks();
        }
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
        if (!tried.isEmpty() && tried.countOf(name) >= maxTries()) {
            return null;
        }
        long now = scheduler.nanoTime();
        clock.tell(now);
        Node node = roster.pick(request, tried);
        return node == null ? null : new EndpointPick(this, node, now);
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
        return roster.isUp();
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
        return roster;
    }

    Learning learning() {
        return learning;
    }

    @Override
    public void add(Endpoint endpoint) {
        synchronized (lock) {
            List<Endpoint> endpoints = endpoints();
            endpoints.replaceAll(old -> old.id().equals(endpoint.id()) ? endpoint : old);
            if (!roster.nodes.containsKey(endpoint.id())) {
                endpoints.add(endpoint);
            }
            replace(endpoints);
        }
    }

    @Override
    public boolean remove(String id) {
        synchronized (lock) {
            List<Endpoint> endpoints = endpoints();
            boolean found = endpoints.removeIf(endpoint -> endpoint.id().equals(id));
            if (found) {
                replace(endpoints);
            }
            return found;
        }
    }

    @Override
    public void update(Collection<Endpoint> endpoints) {
        synchronized (lock) {
            replace(endpoints);
        }
    }

    @Override
    public boolean fence(String id) {
        return fence(id, true);
    }

    @Override
    public boolean unfence(String id) {
        return fence(id, false);
    }

    private boolean fence(String id, boolean fenced) {
        synchronized (lock) {
            Node node = roster.nodes.get(id);
            if (node == null) {
                return false;
            }
            if (node.fenced() != fenced) {
                node.state.fence = fenced;
                log.info("service '{}': server {} is {}", name, id, fenced ? "fenced" : "no longer fenced");
                rebuild(roster.nodes);
            }
            return true;
        }
    }

    @Override
    public ServiceSnapshot snapshot() {
        synchronized (lock) {
            List<EndpointSnapshot> endpoints = new ArrayList<>();
            for (Node node : roster.nodes.values()) {
                EndpointState state = node.state;
                endpoints.add(new EndpointSnapshot(
                        node.endpoint,
                        state.health.isUsable(),
                        node.fenced(),
                        state.health.isEjected(),
                        state.inFlight(),
                        state.picks.sum(),
                        state.failures.sum(),
                        state.lastError));
            }
            return new ServiceSnapshot(name, strategy.name(), roster.isUp(), endpoints);
        }
    }

    @Override
    public void close() {
        synchronized (lock) {
            closed = true;
            checks.close();
            warmUps.cancel();
            roster.nodes.values().forEach(node -> node.state.remove());
        }
        if (ownScheduler) {
            scheduler.close();
        }
    }

    @Override
    public String toString() {
        return "LoadBalancer{" + name + "}";
    }

    // Changing the roster.

    private void changed() {
        if (closed) {
            return;
        }
        synchronized (lock) {
            if (roster.nodes.size() <= REBUILD_AT_ONCE) {
                rebuildOrStay();
            } else if (!rebuildScheduled) {
                rebuildScheduled = true;
                scheduler.schedule(
                        () -> {
                            synchronized (lock) {
                                rebuildScheduled = false;
                                rebuildOrStay();
                            }
                        },
                        0);
            }
        }
    }

    /** A step of the servers that warm up, by the timer. */
    private void warmUp() {
        synchronized (lock) {
            if (!closed && warmUps.isDue()) {
                rebuildOrStay();
                warmUps.follow(roster.nodes.values());
            }
        }
    }

    /** For changes that no caller has asked for: a request must not fail for a strategy of the user's own that does. */
    private void rebuildOrStay() {
        try {
            rebuild(roster.nodes);
        } catch (RuntimeException e) {
            log.error("service '{}' stays as it was: its strategy '{}' fails", name, strategy.name(), e);
        }
    }

    private List<Endpoint> endpoints() {
        List<Endpoint> endpoints = new ArrayList<>();
        for (Node node : roster.nodes.values()) {
            endpoints.add(node.endpoint);
        }
        return endpoints;
    }

    private void replace(Collection<Endpoint> endpoints) {
        Map<String, Node> old = roster.nodes;
        Map<String, Node> nodes = new LinkedHashMap<>();
        for (Endpoint endpoint : endpoints) {
            Node node = new Node(endpoint, state(endpoint, old.get(endpoint.id())), averaging);
            if (old.isEmpty()) {
                // With the first list all servers would warm up alike.
                node.state.warmUp.skip();
            }
            if (nodes.put(endpoint.id(), node) != null) {
                throw new IllegalArgumentException(
                        "service '" + name + "' has two servers with the id '" + endpoint.id() + "'");
            }
        }
        rebuild(nodes);
        for (Node node : old.values()) {
            Node successor = nodes.get(node.id());
            if (successor == null || successor.state != node.state) {
                node.state.remove();
            }
        }
        followChecks();
    }

    /** What is known of the endpoint: nothing where its id is new, or names another machine than before. */
    private EndpointState state(Endpoint endpoint, @Nullable Node known) {
        if (known == null) {
            return new EndpointState(recentFailures);
        }
        Endpoint before = known.endpoint;
        EndpointState state = known.state;
        if (!before.host().equals(endpoint.host())
                || before.port() != endpoint.port()
                || before.isSecure() != endpoint.isSecure()) {
            state = new EndpointState(recentFailures);
            state.fence = known.state.fence;
        }
        if (before.fenced() != endpoint.fenced()) {
            // The newest word counts, whether it was the configuration's or that of a call.
            state.fence = null;
        }
        return state;
    }

    private void followChecks() {
        if (!closed) {
            checks.follow(roster.nodes);
        }
    }

    private void rebuild(Map<String, Node> nodes) {
        Roster before = roster;
        WarmWeights weights = warmUps.look(nodes.values(), strategy.sharesByWeight() ? levels.slowStart() : null);
        Roster next = new RosterBuilder(before, strategy, levels, weights, clock, random, recentFailures).build(nodes);
        roster = next;
        if (!closed) {
            warmUps.follow(nodes.values());
        }
        if (before.isUp() != next.isUp() && !(before.nodes.isEmpty() && next.isUp())) {
            if (next.isUp()) {
                log.info("service '{}' is up again", name);
            } else {
                log.warn("service '{}' is down: no server can be used", name);
            }
        }
    }
}
