package io.fairlead.benchmarks.strategies;

import io.fairlead.benchmarks.Fleet;
import io.fairlead.benchmarks.Subject;
import io.fairlead.benchmarks.peers.ArmeriaSubjects;
import io.fairlead.benchmarks.peers.DubboSubjects;
import io.fairlead.benchmarks.peers.GrpcSubjects;
import io.fairlead.benchmarks.peers.GuavaSubjects;
import io.fairlead.benchmarks.peers.RibbonSubjects;
import io.fairlead.benchmarks.peers.VertxSubjects;
import io.fairlead.strategy.HashKey;
import io.fairlead.strategy.Strategies;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/** All that can be measured: ours, the peers, and two yardsticks. */
final class Catalogue {
    /** The strategies that hash a key. */
    static final Set<String> HASHING =
            Set.of("hrw", "jump", "direct-hash", "weighted-direct-hash", "ring-hash", "maglev");

    /** The strategies that share a counter among all threads. */
    static final Set<String> COUNTING = Set.of("round-robin", "wrr", "priority");

    private static final List<Entry> ENTRIES = entries();

    private Catalogue() {}

    static List<Entry> all() {
        return ENTRIES;
    }

    /** The same, those of one algorithm together, ours first. */
    static List<Entry> byAlgorithm() {
        Map<String, List<Entry>> algorithms = new LinkedHashMap<>();
        for (Entry entry : ENTRIES) {
            algorithms
                    .computeIfAbsent(entry.algorithm(), algorithm -> new ArrayList<>())
                    .add(entry);
        }
        return algorithms.values().stream().flatMap(List::stream).toList();
    }

    static Entry named(String name) {
        return ENTRIES.stream()
                .filter(entry -> entry.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no subject is called '" + name + "'"));
    }

    private static List<Entry> entries() {
        List<Entry> entries = new ArrayList<>();
        entries.add(new Entry(
                "counter",
                "yardsticks",
                "AtomicLong.getAndIncrement",
                Entry.Kind.YARDSTICK,
                false,
                Catalogue::counter));
        entries.add(new Entry(
                "key-hash", "yardsticks", "hash of a key's text", Entry.Kind.YARDSTICK, false, Catalogue::keyHash));
        for (String strategy : Strategies.names()) {
            if (HASHING.contains(strategy)) {
                add(entries, strategy, strategy, "**ours**", true, fleet -> OurSubjects.prehashed(strategy, fleet));
                entries.add(new Entry(
                        strategy + "-from-text",
                        strategy,
                        "ours, the key hashed from a text first",
                        Entry.Kind.OURS_FROM_TEXT,
                        false,
                        fleet -> OurSubjects.keyed(strategy, fleet)));
            } else {
                add(entries, strategy, strategy, "**ours**", true, fleet -> OurSubjects.keyless(strategy, fleet));
            }
        }
        peer(entries, "round-robin", "vertx-round-robin", "Vert.x round robin", false, VertxSubjects::roundRobin);
        peer(entries, "round-robin", "armeria-round-robin", "Armeria round robin", false, ArmeriaSubjects::roundRobin);
        peer(entries, "round-robin", "grpc-round-robin", "gRPC round_robin", false, GrpcSubjects::roundRobin);
        peer(entries, "round-robin", "ribbon-round-robin", "Ribbon RoundRobinRule", false, RibbonSubjects::roundRobin);
        peer(entries, "wrr", "armeria-weighted", "Armeria weighted round robin", true, ArmeriaSubjects::weighted);
        peer(entries, "wrr", "grpc-weighted", "gRPC weighted_round_robin", true, GrpcSubjects::weighted);
        peer(entries, "wrr", "dubbo-round-robin", "Dubbo RoundRobin (smooth)", true, DubboSubjects::roundRobin);
        peer(entries, "random", "vertx-random", "Vert.x random", false, VertxSubjects::random);
        peer(entries, "random", "ribbon-random", "Ribbon RandomRule", false, RibbonSubjects::random);
        peer(entries, "weighted-random", "dubbo-random", "Dubbo Random", true, DubboSubjects::random);
        peer(
                entries,
                "weighted-random",
                "ribbon-weighted",
                "Ribbon WeightedResponseTimeRule",
                false,
                RibbonSubjects::weightedResponseTime);
        peer(entries, "least-requests", "vertx-least", "Vert.x least requests", false, VertxSubjects::leastRequests);
        peer(entries, "least-requests", "dubbo-least-active", "Dubbo LeastActive", true, DubboSubjects::leastActive);
        peer(entries, "least-requests", "ribbon-best", "Ribbon BestAvailableRule", false, RibbonSubjects::best);
        peer(entries, "p2c", "vertx-p2c", "Vert.x power of two choices", false, VertxSubjects::powerOfTwoChoices);
        peer(entries, "p2c", "grpc-least", "gRPC least_request (2 choices)", false, GrpcSubjects::leastRequest);
        peer(entries, "leasttime", "dubbo-shortest", "Dubbo ShortestResponse", true, DubboSubjects::shortestResponse);
        peer(entries, "jump", "guava-jump", "Guava Hashing.consistentHash", false, GuavaSubjects::consistentHash);
        peer(entries, "ring-hash", "grpc-ring", "gRPC ring_hash, key hashed before", false, GrpcSubjects::ringHash);
        peer(entries, "ring-hash", "vertx-ring", "Vert.x consistent hashing", false, VertxSubjects::consistentHashing);
        peer(entries, "ring-hash", "dubbo-ring", "Dubbo ConsistentHash", false, DubboSubjects::consistentHash);
        return List.copyOf(entries);
    }

    private static void add(
            List<Entry> entries,
            String algorithm,
            String name,
            String label,
            boolean heedsWeights,
            Function<Fleet, Subject> factory) {
        entries.add(new Entry(name, algorithm, label, Entry.Kind.OURS, heedsWeights, factory));
    }

    private static void peer(
            List<Entry> entries,
            String algorithm,
            String name,
            String label,
            boolean heedsWeights,
            Function<Fleet, Subject> factory) {
        entries.add(new Entry(name, algorithm, label, Entry.Kind.PEER, heedsWeights, factory));
    }

    /** What no picker with a shared counter can be cheaper than; it stands alone on its cache lines by its padding. */
    private static Subject counter(Fleet fleet) {
        AtomicLong[] padded = new AtomicLong[17];
        for (int i = 0; i < padded.length; i++) {
            padded[i] = new AtomicLong();
        }
        AtomicLong counter = padded[8];
        // Boxing would allocate; the parity is enough to keep the increment from being dropped.
        return key -> (counter.getAndIncrement() & 1) == 0 ? Boolean.TRUE : Boolean.FALSE;
    }

    private static Subject keyHash(Fleet fleet) {
        HashKey hashKey = HashKey.parse("$remote_addr");
        return key -> (hashKey.hash(key) & 1) == 0 ? Boolean.TRUE : Boolean.FALSE;
    }
}
