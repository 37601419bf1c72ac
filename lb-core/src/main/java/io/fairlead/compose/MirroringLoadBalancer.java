package io.fairlead.compose;

import io.fairlead.ForwardingPick;
import io.fairlead.LoadBalancer;
import io.fairlead.MirrorCopies;
import io.fairlead.MirrorCopy;
import io.fairlead.Pick;
import io.fairlead.RequestFacts;
import io.fairlead.Ticker;
import io.fairlead.Tried;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A service whose requests are answered by its main service, and copied in part to others, whose answers nobody sees.
 * Which requests are copied is decided here; the copies are made by the adapters, who ask the pick for them.
 *
 * <p>Safe for use from any thread.
 */
public final class MirroringLoadBalancer extends ComposedLoadBalancer {
    private final LoadBalancer main;
    private final List<Mirror> mirrors;
    private final AtomicLong requests = new AtomicLong();

    /**
     * Makes the service; neither its main service nor the mirrors are closed with it.
     *
     * @param ticker the time, for the budget of retries
     */
    public MirroringLoadBalancer(String name, LoadBalancer main, List<Mirror> mirrors, Ticker ticker) {
        super(name, "mirroring", Collections.singletonList(main), ticker);
        this.main = main;
        this.mirrors = Collections.unmodifiableList(new ArrayList<>(mirrors));
        follow();
    }

    /** The mirrors with their counts, in the order in which they were given; unmodifiable. */
    public List<Mirror> mirrors() {
        return mirrors;
    }

    @Override
    public @Nullable Pick tryPick(RequestFacts request, Tried tried) {
        Pick pick = main.tryPick(request, tried);
        return pick == null || mirrors.isEmpty() ? pick : new MirroredPick(pick);
    }

    @Override
    public int maxTries() {
        return main.maxTries();
    }

    /** Whether the main service is; the mirrors do not count. */
    @Override
    public boolean isUp() {
        return main.isUp();
    }

    private void addTo(MirrorCopies copies) {
        if (!copies.ask(this)) {
            return;
        }
        long index = requests.getAndIncrement() & Long.MAX_VALUE;
        for (Mirror mirror : mirrors) {
            MirrorCopy copy = mirror.isDue(index) ? mirror.admit() : null;
            if (copy != null) {
                copies.add(copy);
            }
        }
    }

    private final class MirroredPick extends ForwardingPick {
        MirroredPick(Pick pick) {
            super(pick);
        }

        @Override
        public @Nullable MirrorCopies copies(@Nullable MirrorCopies before) {
            MirrorCopies all = before == null ? new MirrorCopies() : before;
            addTo(all);
            return super.copies(all);
        }
    }
}
