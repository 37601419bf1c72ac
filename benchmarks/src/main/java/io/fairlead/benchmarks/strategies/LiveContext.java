package io.fairlead.benchmarks.strategies;

import io.fairlead.Endpoint;
import io.fairlead.LoadBalancer;
import io.fairlead.RequestFacts;
import io.fairlead.benchmarks.Fleet;
import io.fairlead.benchmarks.VirtualTime;
import io.fairlead.strategy.Candidate;
import io.fairlead.strategy.Picker;
import io.fairlead.strategy.PickerContext;
import io.fairlead.strategy.Strategy;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a real load balancer hands to its strategy, so that the cost of reading a candidate's load and latency is in the
 * measurement: it is made by one, whose servers have each answered a request and have others under way.
 */
final class LiveContext {
    private LiveContext() {}

    static PickerContext of(Fleet fleet) {
        List<Endpoint> endpoints = new ArrayList<>();
        for (int i = 0; i < fleet.size(); i++) {
            endpoints.add(Endpoint.of("http://" + fleet.host(i) + ":" + fleet.port(), fleet.weight(i)));
        }
        Told told = new Told();
        VirtualTime time = new VirtualTime();
        LoadBalancer balancer = LoadBalancer.builder("bench")
                .endpoints(endpoints)
                .strategy(told)
                .scheduler(time)
                .build();
        for (int i = 0; i < fleet.size(); i++) {
            told.next = i;
            var answered = balancer.pick(RequestFacts.NONE);
            time.moveTo(time.nanoTime() + fleet.latencyMillis(i) * 1_000_000L);
            answered.success();
            for (int busy = 0; busy < fleet.inFlight(i); busy++) {
                balancer.pick(RequestFacts.NONE);
            }
        }
        return Objects.requireNonNull(told.context);
    }

    /** Picks what it is told to, and keeps what it was given. */
    private static final class Told implements Strategy {
        private @Nullable PickerContext context;
        private int next;

        @Override
        public String name() {
            return "told";
        }

        @Override
        public Picker picker(PickerContext given) {
            context = given;
            List<Candidate> candidates = given.candidates();
            return (request, tried) -> candidates.get(next);
        }
    }
}
