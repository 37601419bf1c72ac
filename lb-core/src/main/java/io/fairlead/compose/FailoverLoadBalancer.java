package io.fairlead.compose;

import io.fairlead.LoadBalancer;
import io.fairlead.Pick;
import io.fairlead.RequestFacts;
import io.fairlead.Ticker;
import io.fairlead.Tried;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A service, and another one for when no server of the first can be used, or when all of those that one request may try
 * have failed it.
 *
 * <p>Safe for use from any thread.
 */
public final class FailoverLoadBalancer extends ComposedLoadBalancer {
    private final LoadBalancer main;
    private final LoadBalancer fallback;

    /**
     * Makes the service; its parts are not closed with it.
     *
     * @param ticker the time, for the budget of retries
     */
    public FailoverLoadBalancer(String name, LoadBalancer main, LoadBalancer fallback, Ticker ticker) {
        super(name, "failover", Arrays.asList(main, fallback), ticker);
        this.main = main;
        this.fallback = fallback;
        follow();
    }

    @Override
    public @Nullable Pick tryPick(RequestFacts request, Tried tried) {
        Pick pick = main.tryPick(request, tried);
        return pick != null ? pick : fallback.tryPick(request, tried);
    }

    /** The main service's and the fallback's together. */
    @Override
    public int maxTries() {
        return main.maxTries() + fallback.maxTries();
    }

    @Override
    public boolean isUp() {
        return main.isUp() || fallback.isUp();
    }
}
