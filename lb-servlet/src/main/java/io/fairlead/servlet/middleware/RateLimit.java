package io.fairlead.servlet.middleware;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.fairlead.config.ConfigNode;
import io.github.bucket4j.Bandwidth;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import io.github.bucket4j.TimeMeter;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * {@code rateLimit: {average, period, burst, sourceCriterion}}: a token bucket a source, which holds {@code burst} tokens
 * and gets {@code average} of them evenly in each {@code period}. A request that finds none is refused with 429, and with
 * {@code Retry-After}.
 *
 * <p>Sources that are long unseen have full buckets again and are forgotten; beyond {@value #MAX_SOURCES} those least
 * used are.
 */
final class RateLimit implements Middleware {
    private static final int MAX_SOURCES = 65_536;
    private static final Duration MAX_IDLE = Duration.ofDays(366);
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final OwnAnswer REFUSAL = OwnAnswer.of(429, "Too many requests");

    private final Bandwidth bandwidth;
    private final SourceCriterion criterion;
    private final TimeMeter meter;
    private final Cache<String, Bucket> buckets;

    private RateLimit(int average, Duration period, int burst, SourceCriterion criterion, LongSupplier nanos) {
        this.bandwidth = Bandwidth.builder()
                .capacity(burst)
                .refillGreedy(average, period)
                .build();
        this.criterion = criterion;
        this.meter = new Meter(nanos);
        this.buckets = Caffeine.newBuilder()
                .maximumSize(MAX_SOURCES)
                .expireAfterAccess(timeToFill(average, period, burst))
                .ticker(nanos::getAsLong)
                // What is to be tidied up is little: no pool of threads for it.
                .executor(Runnable::run)
                .build();
    }

    static Middleware read(ConfigNode node) {
        return read(node, System::nanoTime);
    }

    /**
     * Reads it.
     *
     * @param nanos a clock of nanoseconds with any zero
     */
    static Middleware read(ConfigNode node, LongSupplier nanos) {
        node.allow("average", "period", "burst", "sourceCriterion", "redis");
        if (node.has("redis")) {
            node.get("redis").problem("is not supported: each process counts for itself");
        }
        int average = node.get("average").integer(0, 1_000_000_000, 0);
        Duration period = node.get("period").duration(SECOND);
        int burst = node.get("burst").integer(0, 1_000_000_000, 1);
        // What Traefik makes of them without a word.
        if (burst == 0) {
            node.get("burst").notice("0 counts as 1");
        }
        if (period.isZero()) {
            node.get("period").notice("0 counts as 1s");
            period = SECOND;
        }
        if (average == 0) {
            node.notice("has no average, so that nothing is limited");
        }
        SourceCriterion criterion =
                SourceCriterion.read(node.get("sourceCriterion"), SourceCriterion.address(IpStrategy.CLIENT));
        if (average > period.toNanos()) {
            node.get("average").problem("is more than one request a nanosecond");
            return request -> {};
        }
        return average == 0 ? request -> {} : new RateLimit(average, period, Math.max(burst, 1), criterion, nanos);
    }

    private static Duration timeToFill(int average, Duration period, int burst) {
        double seconds = (double) burst / average * (period.toNanos() / 1e9) + 1;
        return seconds < MAX_IDLE.toSeconds() ? Duration.ofMillis((long) (seconds * 1000)) : MAX_IDLE;
    }

    @Override
    public void apply(RoutedRequest request) {
        Bucket bucket = buckets.get(
                criterion.of(request.facts()),
                source -> Bucket.builder()
                        .addLimit(bandwidth)
                        .withCustomTimePrecision(meter)
                        .build());
        ConsumptionProbe probe = bucket.tryConsumeAndReturnRemaining(1);
        if (!probe.isConsumed()) {
            long seconds = Math.max(1, (probe.getNanosToWaitForRefill() + 999_999_999) / 1_000_000_000);
            request.answer(REFUSAL.withField("Retry-After", Long.toString(seconds)));
        }
    }

    @Override
    public boolean keepsState() {
        return true;
    }

    /** How many sources are remembered. */
    long sources() {
        long before;
        do {
            // A part at a time is tidied up.
            before = buckets.estimatedSize();
            buckets.cleanUp();
        } while (buckets.estimatedSize() < before);
        return buckets.estimatedSize();
    }

    /** Tells buckets the time. */
    private static final class Meter implements TimeMeter {
        private final LongSupplier nanos;

        Meter(LongSupplier nanos) {
            this.nanos = nanos;
        }

        @Override
        public long currentTimeNanos() {
            return nanos.getAsLong();
        }

        @Override
        public boolean isWallClockBased() {
            return false;
        }
    }
}
