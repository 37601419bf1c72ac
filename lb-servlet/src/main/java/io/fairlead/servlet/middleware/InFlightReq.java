package io.fairlead.servlet.middleware;

import io.fairlead.config.ConfigNode;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * {@code inFlightReq: {amount, sourceCriterion}}: refuses with 429 the requests of a source beyond so many that have not
 * ended. Only sources with requests under way are remembered.
 */
final class InFlightReq implements Middleware {
    private static final OwnAnswer REFUSAL = OwnAnswer.of(429, "Too many requests at the same time");

    private final int amount;
    private final SourceCriterion criterion;
    private final ConcurrentMap<String, Integer> inFlight = new ConcurrentHashMap<>();

    private InFlightReq(int amount, SourceCriterion criterion) {
        this.amount = amount;
        this.criterion = criterion;
    }

    static Middleware read(ConfigNode node) {
        node.allow("amount", "sourceCriterion");
        ConfigNode amount = node.get("amount");
        amount.require();
        int most = amount.integer(0, Integer.MAX_VALUE, -1);
        if (most == 0) {
            amount.notice("0 lets no request through");
        }
        return new InFlightReq(most, SourceCriterion.read(node.get("sourceCriterion"), SourceCriterion.host()));
    }

    @Override
    public void apply(RoutedRequest request) {
        String source = criterion.of(request.facts());
        if (enter(source)) {
            request.onEnd(() -> leave(source));
        } else {
            request.answer(REFUSAL);
        }
    }

    private boolean enter(String source) {
        boolean[] entered = new boolean[1];
        inFlight.compute(source, (key, count) -> {
            int now = count == null ? 0 : count;
            entered[0] = now < amount;
            return entered[0] ? Integer.valueOf(now + 1) : count;
        });
        return entered[0];
    }

    private void leave(String source) {
        inFlight.computeIfPresent(source, (key, count) -> count == 1 ? null : count - 1);
    }

    @Override
    public boolean keepsState() {
        return true;
    }

    /** How many sources have requests under way. */
    int sources() {
        return inFlight.size();
    }
}
