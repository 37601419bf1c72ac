package io.fairlead.compose;

import io.fairlead.LoadBalancer;
import io.fairlead.Pick;
import io.fairlead.RequestFacts;
import io.fairlead.Ticker;
import io.fairlead.Tried;
import java.util.Collections;
import org.jspecify.annotations.Nullable;

/**
 * A service whose requests are answered by its main service; copies to others are not made in this version.
 *
 * <p>Safe for use from any thread.
 */
public final class MirroringLoadBalancer extends ComposedLoadBalancer {
    private final LoadBalancer main;

    /**
     * Makes the service; its main service is not closed with it.
     *
     * @param ticker the time, for the budget of retries
     */
    public MirroringLoadBalancer(String name, LoadBalancer main, Ticker ticker) {
        super(name, "mirroring", Collections.singletonList(main), ticker);
        this.main = main;
        follow();
    }

    @Override
    public @Nullable Pick tryPick(RequestFacts request, Tried tried) {
        return main.tryPick(request, tried);
    }

    @Override
    public int maxTries() {
        return main.maxTries();
    }

    @Override
    public boolean isUp() {
        return main.isUp();
    }
}
