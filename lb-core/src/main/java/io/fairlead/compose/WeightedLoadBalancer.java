package io.fairlead.compose;

import io.fairlead.LoadBalancer;
import io.fairlead.Pick;
import io.fairlead.RequestFacts;
import io.fairlead.Ticker;
import io.fairlead.Tried;
import io.fairlead.sticky.Affinity;
import io.fairlead.sticky.StickyCookie;
import io.fairlead.sticky.StickyKey;
import io.fairlead.strategy.Candidate;
import io.fairlead.strategy.Picker;
import io.fairlead.strategy.PickerContext;
import io.fairlead.strategy.RandomSource;
import io.fairlead.strategy.Strategies;
import io.fairlead.strategy.Strategy;
import io.fairlead.strategy.StrategyOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Shares requests out among services by weight, in the smooth sequence of the strategy {@code wrr}. Services that are
 * down are left out of the sequence; one that is asked and has no server for this request is passed over. With a cookie,
 * a client stays with the service that it had, as long as that has a server for the request.
 *
 * <p>Safe for use from any thread.
 */
public final class WeightedLoadBalancer extends ComposedLoadBalancer {
    private final List<Part> parts = new ArrayList<>();
    private final Strategy strategy = Strategies.create("wrr", StrategyOptions.DEFAULT);
    private final Ticker ticker;
    private final @Nullable Affinity affinity;

    /** Replaced when another set of services is up. */
    private volatile Sequence sequence = new Sequence(new boolean[0], null, null);

    /**
     * Makes the service; its parts are not closed with it.
     *
     * @param services the services with their weights; one of zero or less gets no request
     * @param ticker the time, for the budget of retries
     */
    public WeightedLoadBalancer(String name, Map<LoadBalancer, Integer> services, Ticker ticker) {
        this(name, services, null, StickyKey.random(), ticker);
    }

    /**
     * Makes the service; its parts are not closed with it.
     *
     * @param services the services with their weights; one of zero or less gets no request
     * @param sticky keeps a client on a service; null: not
     * @param ifNoSecret the key of the cookie's values where it names no secret
     * @param ticker the time, for the budget of retries
     */
    public WeightedLoadBalancer(
            String name,
            Map<LoadBalancer, Integer> services,
            @Nullable StickyCookie sticky,
            StickyKey ifNoSecret,
            Ticker ticker) {
        super(name, "weighted", new ArrayList<>(services.keySet()), ticker);
        this.ticker = ticker;
        for (Map.Entry<LoadBalancer, Integer> service : services.entrySet()) {
            if (service.getValue() > 0) {
                String id = service.getKey().name();
                // Names are unique in a file only.
                id = ids().contains(id) ? id + "#" + parts.size() : id;
                parts.add(new Part(service.getKey(), service.getValue(), id));
            }
        }
        affinity = sticky == null ? null : Affinity.of(sticky, ifNoSecret, name).with(ids());
        follow();
    }

    @Override
    public @Nullable Pick tryPick(RequestFacts request, Tried tried) {
        Affinity keeping = affinity;
        Pick kept = keeping == null
                ? null
                : keeping.find(request, id -> {
                    Pick pick = pickOf(id, request, tried);
                    return pick == null ? null : keeping.stick(pick, id, request);
                });
        return kept == null ? balanced(keeping, request, tried) : kept;
    }

    private @Nullable Pick pickOf(String id, RequestFacts request, Tried tried) {
        for (Part part : parts) {
            Pick pick = part.id.equals(id) ? part.service.tryPick(request, tried) : null;
            if (pick != null) {
                return pick;
            }
        }
        return null;
    }

    private @Nullable Pick balanced(@Nullable Affinity keeping, RequestFacts request, Tried tried) {
        Picker picker = current().picker;
        if (picker == null) {
            return null;
        }
        Tried passed = Tried.NONE;
        for (Candidate next = picker.pick(request, passed); next != null; next = picker.pick(request, passed)) {
            Pick pick = ((Part) next).service.tryPick(request, tried);
            if (pick != null) {
                return keeping == null ? pick : keeping.stick(pick, next.id(), request);
            }
            passed = passed.isEmpty() ? Tried.create() : passed;
            passed.add(next.id());
        }
        return null;
    }

    /** Those of the service that allows the most. */
    @Override
    public int maxTries() {
        int most = 1;
        for (Part part : parts) {
            most = Math.max(most, part.service.maxTries());
        }
        return most;
    }

    @Override
    public boolean isUp() {
        for (Part part : parts) {
            if (part.service.isUp()) {
                return true;
            }
        }
        return false;
    }

    private List<String> ids() {
        List<String> ids = new ArrayList<>();
        parts.forEach(part -> ids.add(part.id));
        return ids;
    }

    private Sequence current() {
        Sequence now = sequence;
        return isCurrent(now) ? now : renew();
    }

    private boolean isCurrent(Sequence now) {
        if (now.up.length != parts.size()) {
            return false;
        }
        for (int i = 0; i < now.up.length; i++) {
            if (now.up[i] != parts.get(i).service.isUp()) {
                return false;
            }
        }
        return true;
    }

    private synchronized Sequence renew() {
        Sequence before = sequence;
        if (isCurrent(before)) {
            return before;
        }
        boolean[] up = new boolean[parts.size()];
        List<Candidate> candidates = new ArrayList<>();
        for (int i = 0; i < up.length; i++) {
            up[i] = parts.get(i).service.isUp();
            if (up[i]) {
                candidates.add(parts.get(i));
            }
        }
        Picker picker = candidates.isEmpty()
                ? null
                : strategy.picker(new PickerContext(candidates, before.last, ticker, RandomSource.threadLocal()));
        Sequence next = new Sequence(up, picker, picker == null ? before.last : picker);
        sequence = next;
        return next;
    }

    /** A picker for those services that are up. */
    private static final class Sequence {
        final boolean[] up;
        final @Nullable Picker picker;
        /** The picker, or the last one while no service is up: the sequence goes on from it. */
        final @Nullable Picker last;

        Sequence(boolean[] up, @Nullable Picker picker, @Nullable Picker last) {
            this.up = up;
            this.picker = picker;
            this.last = last;
        }
    }

    /** A service as the strategy sees it; {@code wrr} asks only for its weight. */
    private static final class Part implements Candidate {
        final LoadBalancer service;
        private final int weight;
        private final String id;

        Part(LoadBalancer service, int weight, String id) {
            this.service = service;
            this.weight = weight;
            this.id = id;
        }

        @Override
        public String id() {
            return id;
        }

        @Override
        public int weight() {
            return weight;
        }

        @Override
        public int inFlight() {
            return 0;
        }

        @Override
        public long waitingSinceNanos() {
            return 0;
        }

        @Override
        public double latencyNanos(long now) {
            return 0;
        }

        @Override
        public int recentFailures() {
            return 0;
        }
    }
}
