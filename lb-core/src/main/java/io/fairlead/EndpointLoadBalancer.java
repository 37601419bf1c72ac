package io.fairlead;

import io.fairlead.health.Breaker;
import io.fairlead.health.HealthCheck;
import io.fairlead.limit.Limits;
import io.fairlead.limit.ServiceLimit;
import io.fairlead.limit.WaitingLine;
import io.fairlead.observe.EndpointSnapshot;
import io.fairlead.observe.Listeners;
import io.fairlead.observe.ServiceSnapshot;
import io.fairlead.observe.StateChange;
import io.fairlead.observe.StateListener;
import io.fairlead.retry.Hedging;
import io.fairlead.retry.RetryBudget;
import io.fairlead.sticky.Affinity;
import io.fairlead.strategy.RandomSource;
import io.fairlead.strategy.RecentFailures;
import io.fairlead.strategy.Strategies;
import io.fairlead.strategy.Strategy;
import io.fairlead.strategy.StrategyOptions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
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
    /** So many full servers the strategy may name before the one with the most room is looked for. */
    private static final int MAX_PASSED = 4;

    private final String name;
    private final Scheduler scheduler;
    private final boolean ownScheduler;
    private final RandomSource random;
    private final Hedging hedging;
    private final PickClock clock;
    private final Learning learning;
    private final RecentFailures recentFailures = RecentFailures.counted();
    private final WaitingLine line;
    private final Object lock = new Object();
    private final Listeners listeners = new Listeners();
    private final StateDiff diff;

    private volatile Roster roster = Roster.empty();
    private volatile ServiceSettings settings;
    private volatile RetryBudget budget;
    /** Which cookie means which server; null: clients are not kept on servers. */
    private volatile @Nullable Affinity affinity;

    private volatile boolean closed;
    /** Null: nothing is guarded, which costs a pick nothing. */
    private volatile @Nullable Guards guards;

    // Written under lock.
    private volatile Strategy strategy;

    // Guarded by lock.
    private String strategyName;
    private StrategyOptions options;
    private LatencyAverage averaging;
    private LevelOptions levels;
    private final WarmUps warmUps;
    private final Checks checks;
    private boolean rebuildScheduled;
    private boolean begun;

    private EndpointLoadBalancer(LoadBalancerBuilder builder) {
        name = builder.name;
        strategy = strategy(builder);
        strategyName = builder.strategyName;
        options = builder.options;
        levels = builder.levels;
        averaging = new LatencyAverage(options.decay());
        settings = builder.settings;
        affinity = builder.affinity();
        ownScheduler = builder.scheduler == null;
        scheduler = builder.scheduler == null ? Scheduler.system() : builder.scheduler;
        random = builder.random;
        budget = settings.retry().newBudget(scheduler);
        hedging = new Hedging(scheduler);
        hedging.follow(settings.hedge());
        clock = new PickClock(scheduler.nanoTime());
        line = new WaitingLine(name, scheduler);
        diff = new StateDiff(name, scheduler, listeners);
        learning = new Learning(scheduler, lock, () -> roster, random, this::changed);
        learning.ejectBy(builder.passiveHealthCheck);
        guardBy(builder);
        warmUps = new WarmUps(scheduler, this::warmUp);
        checks = new Checks(scheduler, random, this::changed);
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
                replace(builder.endpoints, builder.healthCheck);
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
            keepBy(builder.affinity());
            learning.ejectBy(builder.passiveHealthCheck);
            guardBy(builder);
            checks.checkBy(builder.healthCheck, roster.nodes.values());
            rebuild(roster.nodes);
            followChecks();
        }
        tell();
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
        Pick pick = pickServer(request, tried);
        Affinity keeping = affinity;
        return keeping == null || pick == null
                ? pick
                : keeping.stick(pick, pick.endpoint().id(), request);
    }

    private @Nullable Pick pickServer(RequestFacts request, Tried tried) {
        if (!tried.isEmpty() && tried.countOf(name) >= maxTries()) {
            return null;
        }
        long now = scheduler.nanoTime();
        clock.tell(now);
        Guards limits = guards;
        if (limits != null) {
            return pickGuarded(limits, request, tried, now);
        }
        while (true) {
            Node node = choose(roster, request, tried);
            if (node == null) {
                return null;
            }
            node.state.begin(now);
            // After it has been counted: whoever waits for a fenced server to drain either sees it or turns it away.
            if (!node.state.barred) {
                return new EndpointPick(this, node, now, null, Breaker.NO_PROBE);
            }
            node.state.withdraw();
        }
    }

    /** A server that is full is passed over as if it had been tried. */
    private @Nullable Pick pickGuarded(Guards limits, RequestFacts request, Tried tried, long now) {
        ServiceLimit service = limits.service();
        if (service != null && !service.tryEnter()) {
            return null;
        }
        Pick pick = null;
        try {
            pick = pickWithRoom(limits, request, tried, now);
            return pick;
        } finally {
            if (pick == null && service != null && service.leaveUnused() && line.size() > 0) {
                // Not from here, which may be within the line or within that of another service.
                scheduler.schedule(line::moved, 0);
            }
        }
    }

    private @Nullable Pick pickWithRoom(Guards limits, RequestFacts request, Tried tried, long now) {
        int most = limits.perServer();
        Tried passed = tried;
        for (int i = 0; i < MAX_PASSED; i++) {
            Node node = choose(roster, request, passed);
            if (node == null) {
                return null;
            }
            int probe = tryBegin(node, now, most);
            if (probe != Breaker.REFUSED) {
                return new EndpointPick(this, node, now, limits.service(), probe);
            }
            passed = passed == tried ? tried.copy() : passed;
            passed.add(node.id());
        }
        // To ask the strategy again for each of many servers would cost more than its wish is worth now.
        for (Node node = roster.roomiest(tried, most); node != null; node = roster.roomiest(tried, most)) {
            int probe = tryBegin(node, now, most);
            if (probe != Breaker.REFUSED) {
                return new EndpointPick(this, node, now, limits.service(), probe);
            }
        }
        return null;
    }

    private static int tryBegin(Node node, long now, int most) {
        int probe = node.state.tryBegin(now, most);
        if (probe != Breaker.REFUSED && node.state.barred) {
            node.state.withdraw(probe);
            return Breaker.REFUSED;
        }
        return probe;
    }

    @Override
    public boolean isFull() {
        Guards limits = guards;
        Roster current = roster;
        if (limits == null || !current.isUp()) {
            return false;
        }
        ServiceLimit service = limits.service();
        return (service != null && service.isFull()) || current.roomiest(Tried.NONE, limits.perServer()) == null;
    }

    @Override
    public long nanosToNextServer() {
        long now = scheduler.nanoTime();
        long soonest = -1;
        for (Node node : roster.nodes.values()) {
            boolean mayReturn = node.isCounted() && !node.isFenced() && !node.state.health.isDown();
            long out = mayReturn ? node.state.health.nanosOut(now) : -1;
            if (out >= 0 && (soonest < 0 || out < soonest)) {
                soonest = out;
            }
        }
        return soonest;
    }

    @Override
    public @Nullable WaitingLine waitingLine() {
        return line.isOpen() ? line : null;
    }

    /** A request has ended. */
    void placeFreed() {
        line.moved();
    }

    /** With the lock held, but in the constructor. */
    private void guardBy(LoadBalancerBuilder builder) {
        Limits limits = builder.limits;
        Guards next = new Guards(limits, builder.adaptiveLimit, builder.circuitBreaker, guards);
        guards = next.isNone() ? null : next;
        line.limitTo(limits.queue(), limits.queueTimeout().toNanos());
        long now = scheduler.nanoTime();
        roster.nodes.values().forEach(node -> next.equip(node.state, now));
    }

    /** Keeps clients in this way from now on; the values of the same cookie are not made anew. */
    private void keepBy(@Nullable Affinity next) {
        Affinity before = affinity;
        if (next == null || before == null || !next.isLike(before)) {
            affinity = next == null ? null : next.with(roster.nodes.keySet());
        }
    }

    /** The server that the client is kept on while it can be used, else that of the strategy. */
    private @Nullable Node choose(Roster current, RequestFacts request, Tried tried) {
        Affinity keeping = affinity;
        Node kept = keeping == null ? null : KeptServer.find(current, keeping.idIn(request), tried);
        return kept == null ? current.pick(request, tried) : kept;
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
            replace(endpoints, checks.by());
        }
        tell();
    }

    @Override
    public boolean remove(String id) {
        boolean found;
        synchronized (lock) {
            List<Endpoint> endpoints = endpoints();
            found = endpoints.removeIf(endpoint -> endpoint.id().equals(id));
            if (found) {
                replace(endpoints, checks.by());
            }
        }
        tell();
        return found;
    }

    @Override
    public void update(Collection<Endpoint> endpoints) {
        synchronized (lock) {
            replace(endpoints, checks.by());
        }
        tell();
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
                Boolean before = node.state.fence;
                node.state.fence = fenced;
                try {
                    rebuild(roster.nodes);
                } catch (RuntimeException e) {
                    node.state.fence = before;
                    throw e;
                }
            }
        }
        tell();
        return true;
    }

    @Override
    public CompletionStage<Void> drained(String id) {
        Node node = roster.nodes.get(id);
        if (node == null) {
            throw new IllegalArgumentException("service '" + name + "' has no server with the id '" + id + "'");
        }
        return node.state.drained().thenRun(() -> {});
    }

    @Override
    public ServiceSnapshot snapshot() {
        Roster now = roster;
        Guards limits = guards;
        int most = limits == null ? Integer.MAX_VALUE : limits.perServer();
        long moment = scheduler.nanoTime();
        List<EndpointSnapshot> endpoints = new ArrayList<>(now.nodes.size());
        for (Node node : now.nodes.values()) {
            endpoints.add(node.snapshot(moment, now.weights.factor(node), most));
        }
        return new ServiceSnapshot(name, strategy.name(), now.isUp(), line.size(), endpoints);
    }

    @Override
    public void forEachServer(BiConsumer<EndpointSnapshot, ServiceSettings> told) {
        ServiceSettings now = settings;
        snapshot().endpoints().forEach(server -> told.accept(server, now));
    }

    @Override
    public void addListener(StateListener listener) {
        listeners.add(listener);
    }

    @Override
    public void removeListener(StateListener listener) {
        listeners.remove(listener);
    }

    @Override
    public void close() {
        synchronized (lock) {
            closed = true;
            checks.close();
            warmUps.cancel();
            learning.close();
            roster.nodes.values().forEach(node -> node.state.remove());
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
                            tell();
                        },
                        0);
            }
        }
        tell();
    }

    /** Tells the listeners what has been noted, never under the lock. */
    private void tell() {
        if (listeners.hasNews()) {
            if (Thread.holdsLock(lock)) {
                scheduler.schedule(listeners::tell, 0);
            } else {
                listeners.tell();
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
        tell();
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

    private void replace(Collection<Endpoint> endpoints, @Nullable HealthCheck check) {
        Map<String, Node> old = roster.nodes;
        Map<String, Node> nodes = new LinkedHashMap<>();
        Map<EndpointState, Boolean> fences = new HashMap<>();
        try {
            replace(endpoints, check, old, nodes, fences);
        } catch (RuntimeException e) {
            // Nothing has changed, so a server that drains goes on doing so.
            fences.forEach((state, fence) -> state.fence = fence);
            throw e;
        }
        for (Node node : old.values()) {
            Node successor = nodes.get(node.id());
            if (successor == null || successor.state != node.state) {
                node.state.remove();
            }
        }
        followChecks();
    }

    private void replace(
            Collection<Endpoint> endpoints,
            @Nullable HealthCheck check,
            Map<String, Node> old,
            Map<String, Node> nodes,
            Map<EndpointState, Boolean> fences) {
        for (Endpoint endpoint : endpoints) {
            Node node = new Node(endpoint, state(endpoint, old.get(endpoint.id()), fences), averaging);
            if (old.isEmpty()) {
                // With the first list all servers would warm up alike.
                node.state.warmUp.skip();
            }
            if (nodes.put(endpoint.id(), node) != null) {
                throw new IllegalArgumentException(
                        "service '" + name + "' has two servers with the id '" + endpoint.id() + "'");
            }
        }
        Checks.expect(nodes.values(), check);
        rebuild(nodes);
        Affinity keeping = affinity;
        affinity = keeping == null ? null : keeping.with(nodes.keySet());
    }

    /** What is known of the endpoint: nothing where its id is new, or names another machine than before. */
    private EndpointState state(Endpoint endpoint, @Nullable Node known, Map<EndpointState, Boolean> fences) {
        if (known == null) {
            return newState();
        }
        Endpoint before = known.endpoint;
        EndpointState state = known.state;
        if (!before.host().equals(endpoint.host())
                || before.port() != endpoint.port()
                || before.isSecure() != endpoint.isSecure()) {
            state = newState();
            state.fence = known.state.fence;
        }
        if (before.fenced() != endpoint.fenced()) {
            // The newest word counts, whether it was the configuration's or that of a call.
            Boolean fence = state.fence;
            if (fence != null) {
                fences.put(state, fence);
            }
            state.fence = null;
        }
        return state;
    }

    private EndpointState newState() {
        EndpointState state = new EndpointState(recentFailures);
        Guards limits = guards;
        if (limits != null) {
            limits.equip(state, scheduler.nanoTime());
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
        // A server is let in before a roster has it, and barred after a roster has it no more: a pick that is turned
        // away then finds another at once.
        letIn(nodes.values());
        roster = next;
        bar(nodes.values());
        diff.note(nodes.values());
        if (!closed) {
            warmUps.follow(nodes.values());
        }
        if (line.size() > 0) {
            scheduler.schedule(line::moved, 0);
        }
        if (begun && before.isUp() != next.isUp()) {
            listeners.note(StateChange.ofService(name, next.isUp()));
        }
        begun = true;
    }

    private static void letIn(Iterable<Node> nodes) {
        for (Node node : nodes) {
            if (node.state.barred && !node.fenced()) {
                node.state.barred = false;
            }
        }
    }

    private static void bar(Iterable<Node> nodes) {
        for (Node node : nodes) {
            if (!node.state.barred && node.fenced()) {
                node.state.barred = true;
            }
        }
    }
}
