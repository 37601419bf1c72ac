package io.fairlead;

import io.fairlead.strategy.Picker;
import io.fairlead.strategy.PickerContext;
import io.fairlead.strategy.RandomSource;
import io.fairlead.strategy.RecentFailures;
import io.fairlead.strategy.Strategy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * Sorts the servers of one moment into tiers and builds their pickers.
 *
 * <p>The tiers, best first: servers; backups; servers whose connections failed just now; backups likewise. Servers that
 * are ejected are used only when all these are empty, so that an ejection alone never takes the last server away. Servers
 * of no weight, fenced ones, those that a check took out and those whose circuit is open are on no tier; a level in panic
 * is an exception, for which neither check nor ejection counts.
 *
 * <p>Within a tier the priority levels and zones share the requests, as {@link LevelShares} says; where one of them has
 * all, no chance is asked.
 *
 * <p>Used once, by one thread.
 */
final class RosterBuilder {
    private static final int SERVERS = 0;
    private static final int BACKUPS = 1;
    private static final int BACKED_OFF = 2;
    private static final int BACKED_OFF_BACKUPS = 3;
    private static final int EJECTED = 4;

    private static final int ALL_ZONES = 0;
    private static final int OWN_ZONE = 1;
    private static final int OTHER_ZONES = 2;

    private final Strategy strategy;
    private final LevelOptions options;
    private final WarmWeights weights;
    private final Ticker ticker;
    private final RandomSource random;
    private final RecentFailures failures;

    private final List<Picker> tiers = new ArrayList<>();
    private final List<Group> inUse = new ArrayList<>();
    private final Map<Integer, Group> groups;

    RosterBuilder(
            Roster before,
            Strategy strategy,
            LevelOptions options,
            WarmWeights weights,
            Ticker ticker,
            RandomSource random,
            RecentFailures failures) {
        this.strategy = strategy;
        this.options = options;
        this.weights = weights;
        this.ticker = ticker;
        this.random = random;
        this.failures = failures;
        groups = new HashMap<>(before.groups);
    }

    /** The roster of these nodes; sequences go on from those of the roster before. */
    Roster build(Map<String, Node> nodes) {
        TreeMap<Integer, PriorityLevel> servers = new TreeMap<>();
        TreeMap<Integer, PriorityLevel> backups = new TreeMap<>();
        for (Node node : nodes.values()) {
            if (node.weight() > 0 && !node.fenced()) {
                (node.endpoint.backup() ? backups : servers)
                        .computeIfAbsent(node.endpoint.priority(), PriorityLevel::new)
                        .add(node);
            }
        }
        LevelShares shares = new LevelShares(options);
        shares.panic(servers.values(), backups.values());
        addShared(SERVERS, servers.values(), shares);
        addShared(BACKUPS, backups.values(), shares);
        addEach(BACKED_OFF, servers.values());
        addEach(BACKED_OFF_BACKUPS, backups.values());
        if (tiers.isEmpty()) {
            List<PriorityLevel> all = new ArrayList<>(servers.values());
            all.addAll(backups.values());
            addEjected(all);
        }
        return new Roster(nodes, weights, tiers.toArray(new Picker[0]), inUse, groups);
    }

    private void addShared(int kind, Collection<PriorityLevel> levels, LevelShares shares) {
        List<Picker> pickers = new ArrayList<>();
        List<Double> parts = new ArrayList<>();
        Map<PriorityLevel, Double> loads = shares.loads(levels);
        for (PriorityLevel level : levels) {
            double load = loads.getOrDefault(level, 0.0);
            List<Node> ready = level.ready();
            if (ready.isEmpty()) {
                continue;
            }
            OptionalDouble own = shares.ownZone(level);
            if (!own.isPresent()) {
                pickers.add(picker(kind, level.priority, ALL_ZONES, ready));
                parts.add(load);
                continue;
            }
            List<Node> near = new ArrayList<>();
            List<Node> far = new ArrayList<>();
            ready.forEach(node -> (shares.isOwnZone(node) ? near : far).add(node));
            if (!near.isEmpty()) {
                pickers.add(picker(kind, level.priority, OWN_ZONE, near));
                parts.add(load * own.getAsDouble());
            }
            if (!far.isEmpty()) {
                pickers.add(picker(kind, level.priority, OTHER_ZONES, far));
                parts.add(load * (1 - own.getAsDouble()));
            }
        }
        addParts(pickers, parts);
    }

    /** One that has all is a tier, and the others are the next ones. */
    private void addParts(List<Picker> pickers, List<Double> parts) {
        int whole = -1;
        int sharing = 0;
        for (int i = 0; i < parts.size(); i++) {
            if (parts.get(i) > 0) {
                whole = i;
                sharing++;
            }
        }
        if (sharing > 1) {
            tiers.add(new SharingPicker(pickers, parts, random));
            return;
        }
        if (whole >= 0) {
            tiers.add(pickers.remove(whole));
        }
        tiers.addAll(pickers);
    }

    private void addEach(int kind, Collection<PriorityLevel> levels) {
        for (PriorityLevel level : levels) {
            add(kind, level.priority, level.backedOff());
        }
    }

    private void addEjected(List<PriorityLevel> levels) {
        TreeMap<Integer, List<Node>> ejected = new TreeMap<>();
        for (PriorityLevel level : levels) {
            ejected.computeIfAbsent(level.priority, priority -> new ArrayList<>())
                    .addAll(level.ejected());
        }
        ejected.forEach((priority, nodes) -> add(EJECTED, priority, nodes));
    }

    private void add(int kind, int priority, List<Node> nodes) {
        if (!nodes.isEmpty()) {
            tiers.add(picker(kind, priority, ALL_ZONES, nodes));
        }
    }

    private Picker picker(int kind, int priority, int zones, List<Node> nodes) {
        Integer key = (kind * (Endpoint.MAX_PRIORITY + 1) + priority) * (OTHER_ZONES + 1) + zones;
        Group known = groups.get(key);
        int scale = weights.scale(nodes);
        List<Node> weighted = weights.in(scale, nodes);
        if (known != null && known.isOf(weighted, scale)) {
            // What changed was elsewhere.
            inUse.add(known);
            return known.picker;
        }
        Picker previous = known == null ? null : known.picker;
        Picker picker = strategy.picker(new PickerContext(weighted, previous, ticker, random, failures, scale));
        Group group = new Group(weighted, scale, picker);
        groups.put(key, group);
        inUse.add(group);
        return picker;
    }
}
