package io.fairlead.compose;

import io.fairlead.ForwardingPick;
import io.fairlead.LoadBalancer;
import io.fairlead.MirrorCopy;
import io.fairlead.Outcome;
import io.fairlead.Pick;
import io.fairlead.RequestFacts;
import io.fairlead.Tried;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A service that gets copies of a share of another one's requests. Its state counts for nobody but itself.
 *
 * <p>Safe for use from any thread.
 */
public final class Mirror {
    private final LoadBalancer service;
    private final int percent;
    private final MirrorOptions options;
    private final AtomicInteger inFlight = new AtomicInteger();
    private final LongAdder sent = new LongAdder();
    private final LongAdder dropped = new LongAdder();

    /**
     * A mirror of one service; it is not closed with it.
     *
     * @param percent how many of a hundred requests are copied, 0 to 100
     * @throws IllegalArgumentException the percentage is out of its range
     */
    public Mirror(LoadBalancer service, int percent, MirrorOptions options) {
        if (percent < 0 || percent > 100) {
            throw new IllegalArgumentException("percent must be from 0 to 100, not " + percent);
        }
        this.service = service;
        this.percent = percent;
        this.options = options;
    }

    /** The mirror's name. */
    public String name() {
        return service.name();
    }

    /** How many of a hundred requests are copied. */
    public int percent() {
        return percent;
    }

    /** How many copies are under way, or wait for the body of their request. */
    public int inFlight() {
        return inFlight.get();
    }

    /** How many copies have been sent. */
    public long sent() {
        return sent.sum();
    }

    /**
     * How many copies were due and not sent: too many were under way, the body was too long or did not come to its end,
     * or the mirror had no server.
     */
    public long dropped() {
        return dropped.sum();
    }

    /**
     * Whether a request is copied. The copies are spread evenly: of any hundred requests in a row exactly the percentage
     * is.
     *
     * @param index the number of the request, from 0 on
     */
    boolean isDue(long index) {
        return index % 100 * percent % 100 < percent;
    }

    /** A copy; null where too many are under way. */
    @Nullable
    MirrorCopy admit() {
        while (true) {
            int now = inFlight.get();
            if (now >= options.maxInFlight()) {
                dropped.increment();
                return null;
            }
            if (inFlight.compareAndSet(now, now + 1)) {
                return new Copy();
            }
        }
    }

    private void end() {
        inFlight.decrementAndGet();
    }

    @Override
    public String toString() {
        return "Mirror{" + name() + ", " + percent + " %}";
    }

    private final class Copy implements MirrorCopy {
        /** Whether it has been sent or dropped. */
        private final AtomicBoolean settled = new AtomicBoolean();

        @Override
        public String mirror() {
            return name();
        }

        @Override
        public boolean isWithBody() {
            return options.mirrorBody();
        }

        @Override
        public long maxBodySize() {
            return options.maxBodySize() < 0 ? Long.MAX_VALUE : options.maxBodySize();
        }

        @Override
        public Duration timeout() {
            return options.timeout();
        }

        @Override
        public @Nullable Pick pick(RequestFacts request) {
            if (!settled.compareAndSet(false, true)) {
                return null;
            }
            boolean picked = false;
            try {
                Pick pick = service.tryPick(request, Tried.NONE);
                if (pick == null) {
                    return null;
                }
                picked = true;
                sent.increment();
                return new CopyPick(pick);
            } finally {
                if (!picked) {
                    dropped.increment();
                    end();
                }
            }
        }

        @Override
        public void drop() {
            if (settled.compareAndSet(false, true)) {
                dropped.increment();
                end();
            }
        }

        @Override
        public String toString() {
            return "MirrorCopy{" + name() + "}";
        }
    }

    private final class CopyPick extends ForwardingPick {
        private final AtomicBoolean ended = new AtomicBoolean();

        CopyPick(Pick pick) {
            super(pick);
        }

        @Override
        public void done(Outcome outcome) {
            super.done(outcome);
            countOut();
        }

        @Override
        public void outrun() {
            super.outrun();
            countOut();
        }

        private void countOut() {
            if (ended.compareAndSet(false, true)) {
                end();
            }
        }
    }
}
