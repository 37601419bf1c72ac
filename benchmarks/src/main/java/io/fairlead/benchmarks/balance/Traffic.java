package io.fairlead.benchmarks.balance;

import io.fairlead.Endpoint;
import io.fairlead.LoadBalancer;
import io.fairlead.Pick;
import io.fairlead.benchmarks.VirtualTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/**
 * Requests that come by chance to servers that serve one after the other: exponential gaps and service times, and a load
 * of 60 % of what equal servers can do. Each request comes from a client of its own. The same seed gives the same run.
 */
final class Traffic {
    private static final int REQUESTS = 100_000;
    private static final double LOAD = 0.6;
    private static final long SEED = 20_260_101;

    private final String strategy;
    private final SplittableRandom chance = new SplittableRandom(SEED);
    private final PriorityQueue<Answer> underWay = new PriorityQueue<>();

    private Traffic(String strategy) {
        this.strategy = strategy;
    }

    /** The share of the requests that each server got, in the order of the servers, in percent. */
    static double[] shares(String strategy, List<Server> servers) {
        return new Traffic(strategy).run(servers);
    }

    private double[] run(List<Server> servers) {
        VirtualTime time = new VirtualTime();
        Map<String, Integer> indices = new HashMap<>();
        List<Endpoint> endpoints = new ArrayList<>();
        double capacity = 0;
        for (Server server : servers) {
            indices.put(server.endpoint().id(), endpoints.size());
            endpoints.add(server.endpoint());
            capacity += 1 / server.meanNanos();
        }
        SplittableRandom ofStrategy = chance.split();
        LoadBalancer balancer = LoadBalancer.builder(strategy)
                .endpoints(endpoints)
                .strategy(strategy)
                .scheduler(time)
                .random(ofStrategy::nextLong)
                .build();
        double[] counts = new double[servers.size()];
        double[] freeAt = new double[servers.size()];
        double now = 0;
        for (int i = 0; i < REQUESTS; i++) {
            now += exponential(1 / (LOAD * capacity));
            while (!underWay.isEmpty() && underWay.peek().at <= now) {
                Answer answer = underWay.remove();
                time.moveTo((long) answer.at);
                answer.pick.success();
            }
            time.moveTo((long) now);
            Pick pick = balancer.pick(Client.number(i));
            int index = Objects.requireNonNull(indices.get(pick.endpoint().id()));
            counts[index]++;
            freeAt[index] = Math.max(now, freeAt[index])
                    + exponential(servers.get(index).meanNanos());
            underWay.add(new Answer(freeAt[index], pick));
        }
        balancer.close();
        for (int i = 0; i < counts.length; i++) {
            counts[i] *= 100.0 / REQUESTS;
        }
        return counts;
    }

    private double exponential(double mean) {
        // Strict, so that every machine draws the same picture.
        return -StrictMath.log(1 - chance.nextDouble()) * mean;
    }

    private record Answer(double at, Pick pick) implements Comparable<Answer> {
        @Override
        public int compareTo(Answer other) {
            return Double.compare(at, other.at);
        }
    }
}
