package io.fairlead.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class BreakerTest {
    private static final long SECOND = 1_000_000_000L;

    /** Overflows while the test goes on. */
    private long now = Long.MAX_VALUE - SECOND;

    private final CircuitBreaker.Builder settings = CircuitBreaker.builder()
            .failurePercent(50)
            .minRequests(10)
            .window(Duration.ofSeconds(10))
            .openDuration(Duration.ofSeconds(5))
            .maxOpenDuration(Duration.ofSeconds(15))
            .probes(2)
            .requiredSuccesses(3);

    @Test
    void opensAtTheFailureThatReachesTheShareWithEnoughRequests() {
        Breaker breaker = new Breaker(settings.build(), now);
        end(breaker, 5, false);
        end(breaker, 4, true);
        assertThat(breaker.state()).isEqualTo(Breaker.State.CLOSED);
        assertThat(breaker.ended(Breaker.NO_PROBE, true, now, now)).isEqualTo(Breaker.State.OPEN);
        assertThat(breaker.tryEnter()).isEqualTo(Breaker.REFUSED);
        assertThat(breaker.admits()).isFalse();
    }

    @Test
    void staysClosedBelowTheNumberOfRequests() {
        Breaker breaker = new Breaker(settings.build(), now);
        end(breaker, 9, true);
        assertThat(breaker.state()).isEqualTo(Breaker.State.CLOSED);
    }

    @Test
    void forgetsWhatIsOlderThanTheWindow() {
        Breaker breaker = new Breaker(settings.build(), now);
        end(breaker, 9, true);
        now += 10 * SECOND;
        end(breaker, 9, true);
        assertThat(breaker.state()).isEqualTo(Breaker.State.CLOSED);
        now += 9 * SECOND;
        end(breaker, 1, true);
        assertThat(breaker.state()).as("nine seconds later it still counts").isEqualTo(Breaker.State.OPEN);
    }

    @Test
    void letsACountedNumberOfProbesThroughWhenTheTimeHasCome() {
        Breaker breaker = opened();
        assertThat(breaker.nanosToProbes(now)).isEqualTo(5 * SECOND);
        now += 5 * SECOND - 1;
        assertThat(breaker.expire(now)).isFalse();
        now += 1;
        assertThat(breaker.expire(now)).isTrue();
        assertThat(breaker.state()).isEqualTo(Breaker.State.HALF_OPEN);
        int first = breaker.tryEnter();
        assertThat(first).isPositive();
        assertThat(breaker.tryEnter()).isPositive();
        assertThat(breaker.tryEnter()).isEqualTo(Breaker.REFUSED);
        breaker.returned(first);
        assertThat(breaker.tryEnter())
                .as("a cancelled probe gives its place back")
                .isPositive();
        assertThat(breaker.tryEnter()).isEqualTo(Breaker.REFUSED);
    }

    @Test
    void closesAfterTheSuccessesThatAreRequiredAndSendsNoMoreProbesThanThose() {
        Breaker breaker = halfOpen();
        succeed(breaker);
        succeed(breaker);
        int third = breaker.tryEnter();
        assertThat(third).isPositive();
        assertThat(breaker.tryEnter()).as("one success is missing").isEqualTo(Breaker.REFUSED);
        assertThat(breaker.ended(third, false, now, now)).isEqualTo(Breaker.State.CLOSED);
        assertThat(breaker.tryEnter()).isEqualTo(Breaker.NO_PROBE);
        end(breaker, 9, true);
        assertThat(breaker.state()).as("what came before is forgotten").isEqualTo(Breaker.State.CLOSED);
    }

    @Test
    void aFailedProbeOpensItForTwiceAsLongUpToTheMost() {
        Breaker breaker = halfOpen();
        for (long seconds : new long[] {10, 15, 15}) {
            assertThat(breaker.ended(breaker.tryEnter(), true, now, now)).isEqualTo(Breaker.State.OPEN);
            assertThat(breaker.nanosToProbes(now)).isEqualTo(seconds * SECOND);
            now += seconds * SECOND;
            assertThat(breaker.expire(now)).isTrue();
        }
        succeed(breaker);
        succeed(breaker);
        succeed(breaker);
        end(breaker, 10, true);
        assertThat(breaker.nanosToProbes(now)).as("closed meanwhile").isEqualTo(5 * SECOND);
    }

    @Test
    void whatBeganBeforeItOpenedSaysNothingOfTheTimeSinceItHasClosed() {
        long before = now;
        Breaker breaker = halfOpen();
        succeed(breaker);
        succeed(breaker);
        succeed(breaker);
        assertThat(breaker.state()).isEqualTo(Breaker.State.CLOSED);
        now += SECOND;
        for (int i = 0; i < 20; i++) {
            // Each had waited for its time limit to run out.
            assertThat(breaker.ended(Breaker.NO_PROBE, true, before, now)).isNull();
        }
        assertThat(breaker.state()).isEqualTo(Breaker.State.CLOSED);
        end(breaker, 10, true);
        assertThat(breaker.state()).isEqualTo(Breaker.State.OPEN);
    }

    @Test
    void whatBeganBeforeDecidesNothing() {
        Breaker breaker = halfOpen();
        int old = breaker.tryEnter();
        assertThat(breaker.ended(breaker.tryEnter(), true, now, now)).isEqualTo(Breaker.State.OPEN);
        assertThat(breaker.ended(Breaker.NO_PROBE, false, now, now)).isNull();
        now += 10 * SECOND;
        breaker.expire(now);
        assertThat(breaker.ended(Breaker.NO_PROBE, true, now, now)).isNull();
        assertThat(breaker.ended(old, true, now, now)).isNull();
        breaker.returned(old);
        assertThat(breaker.state()).isEqualTo(Breaker.State.HALF_OPEN);
        assertThat(breaker.tryEnter()).isPositive();
        assertThat(breaker.tryEnter()).isPositive();
        assertThat(breaker.tryEnter()).isEqualTo(Breaker.REFUSED);
    }

    @Test
    void opensOnceHoweverManyThreadsFailAndNeverLetsMoreProbesThroughThanItMay() throws Exception {
        int threads = 4;
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            AtomicInteger openings = new AtomicInteger();
            AtomicInteger closings = new AtomicInteger();
            // By ticket: a probe of an earlier time may end late, and counts no more.
            Map<Integer, AtomicInteger> probes = new ConcurrentHashMap<>();
            AtomicInteger mostProbes = new AtomicInteger();
            AtomicInteger halfOpenings = new AtomicInteger();
            Breaker breaker = new Breaker(settings.minRequests(1).build(), 0);
            List<Future<?>> all = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                all.add(pool.submit(() -> {
                    for (int i = 0; i < 20_000; i++) {
                        long time = i * SECOND;
                        halfOpenings.addAndGet(breaker.expire(time) ? 1 : 0);
                        int probe = breaker.tryEnter();
                        if (probe == Breaker.REFUSED) {
                            continue;
                        }
                        if (probe != Breaker.NO_PROBE) {
                            AtomicInteger together = probes.computeIfAbsent(probe, ticket -> new AtomicInteger());
                            mostProbes.accumulateAndGet(together.incrementAndGet(), Math::max);
                            together.decrementAndGet();
                        }
                        if (i % 7 == 3) {
                            breaker.returned(probe);
                            continue;
                        }
                        Breaker.State next = breaker.ended(probe, i % 5 == 0, time, time);
                        openings.addAndGet(next == Breaker.State.OPEN ? 1 : 0);
                        closings.addAndGet(next == Breaker.State.CLOSED ? 1 : 0);
                    }
                }));
            }
            for (Future<?> each : all) {
                each.get();
            }
            assertThat(mostProbes.get()).isBetween(1, 2);
            assertThat(openings.get()).isPositive();
            int stillOpen = breaker.state() == Breaker.State.OPEN ? 1 : 0;
            assertThat(halfOpenings.get()).as("each opening is told once").isEqualTo(openings.get() - stillOpen);
            assertThat(closings.get()).isLessThanOrEqualTo(halfOpenings.get());
        } finally {
            pool.shutdownNow();
        }
    }

    private Breaker opened() {
        Breaker breaker = new Breaker(settings.build(), now);
        end(breaker, 10, true);
        assertThat(breaker.state()).isEqualTo(Breaker.State.OPEN);
        return breaker;
    }

    private Breaker halfOpen() {
        Breaker breaker = opened();
        now += 5 * SECOND;
        assertThat(breaker.expire(now)).isTrue();
        return breaker;
    }

    private void succeed(Breaker breaker) {
        breaker.ended(breaker.tryEnter(), false, now, now);
    }

    private void end(Breaker breaker, int times, boolean failed) {
        for (int i = 0; i < times; i++) {
            breaker.ended(Breaker.NO_PROBE, failed, now, now);
        }
    }
}
