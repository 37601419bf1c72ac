package io.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.ForwardingPick;
import io.fairlead.LoadBalancer;
import io.fairlead.Outcome;
import io.fairlead.Pick;
import io.fairlead.RequestFacts;
import io.fairlead.observe.EndpointSnapshot;
import io.fairlead.retry.Attempts;
import io.fairlead.retry.Copies;
import io.fairlead.retry.HedgePolicy;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.eclipse.jetty.client.Result;
import org.eclipse.jetty.io.ArrayByteBufferPool;
import org.eclipse.jetty.util.thread.Scheduler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Races step by step, with a timer that is moved by hand. */
final class RaceTest {
    private static final RequestFacts GET = new RequestFacts() {
        @Override
        public String method() {
            return "GET";
        }
    };

    private final Upstreams upstreams = new Upstreams(1, Duration.ZERO, new ArrayByteBufferPool());
    private final LoadBalancer real = LoadBalancer.builder("orders")
            .endpoint("http://a")
            .endpoint("http://b")
            .endpoint("http://c")
            .hedge(HedgePolicy.builder().maxExtra(2).budgetPercent(100).build())
            .build();
    private final LoadBalancer balancer = watched(real);
    private final List<Timed> timed = new ArrayList<>();
    private final List<Try> copies = new ArrayList<>();
    private int ends;
    private int endsUnderTheLock;
    private Race race;
    private Try first;

    @AfterEach
    void close() {
        real.close();
        upstreams.close();
    }

    @Test
    void aTimerIsCancelledWhenTheRaceIsWon() {
        start(this::copy);
        assertThat(timed).hasSize(1);
        assertThat(race.won(first)).isTrue();
        assertThat(timed.get(0).cancelled).isTrue();
    }

    @Test
    void aTimerIsCancelledWhenTheLastTryHasFailed() {
        start(this::copy);
        assertThat(race.failed(first, Outcome.broken(null))).isTrue();
        assertThat(timed.get(0).cancelled).isTrue();
    }

    @Test
    void aTimerIsCancelledWhenTheClientGoes() {
        start(this::copy);
        timed.get(0).task.run();
        assertThat(timed).hasSize(2);
        race.cancel(new IOException("gone"));
        assertThat(timed.get(1).cancelled).isTrue();
        timed.get(1).task.run();
        assertThat(copies).as("none after the end").hasSize(1);
        assertThat(timed).hasSize(2);
    }

    @Test
    void picksAreEndedOutsideTheLock() {
        start(this::copy);
        timed.get(0).task.run();
        timed.get(1).task.run();
        assertThat(inFlight()).isEqualTo(3);
        assertThat(race.failed(copies.get(0), Outcome.broken(null))).isFalse();
        assertThat(race.won(copies.get(1))).isTrue();
        assertThat(inFlight()).isEqualTo(1);
        assertThat(ends).isEqualTo(2);

        start(this::copy);
        race.cancel(new IOException("gone"));
        assertThat(inFlight()).isEqualTo(1);
        assertThat(ends).isEqualTo(3);
        assertThat(endsUnderTheLock).isZero();
    }

    @Test
    void aWinnerThatHasNotJoinedStaysTheWinnerWhenTheClientGoes() {
        start(pick -> {
            Try copy = copy(pick);
            assertThat(race.won(copy)).isTrue();
            race.cancel(new IOException("gone"));
            return copy;
        });
        timed.get(0).task.run();
        // Not given up by the race: a limit runs for it, and its exchange has it.
        assertThat(copies.get(0).getExpireNanoTime()).isNotEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aCopyThatWasBegunWhenTheClientWentIsGivenUp() {
        start(pick -> {
            Try copy = copy(pick);
            race.cancel(new IOException("gone"));
            return copy;
        });
        timed.get(0).task.run();
        assertThat(copies.get(0).getExpireNanoTime()).isEqualTo(Long.MAX_VALUE);
        assertThat(inFlight()).isZero();
    }

    @Test
    void theEndOfATryThatLostIsTheEndOfItsPick() {
        Pick pick = real.pick(GET);
        Try loser = new Try(null, pick, upstreams.of(pick.settings()), null, Duration.ZERO);
        loser.lose();
        assertThat(inFlight()).isEqualTo(1);
        loser.onComplete(new Result(null, new IOException("given up"), null, null));
        assertThat(inFlight()).isZero();
    }

    // Helpers.

    /** Begins a race when the latency is known. */
    private void start(Function<Pick, Try> sender) {
        for (int i = 0; i < 100; i++) {
            Attempts attempts = Attempts.of(real, GET);
            Pick pick = attempts.first();
            attempts.copies(true).won(pick);
            pick.success();
        }
        Attempts attempts = Attempts.of(balancer, GET);
        Pick pick = attempts.first();
        Copies racing = attempts.copies(true);
        race = new Race(
                racing,
                (task, nanos) -> {
                    Timed next = new Timed(task);
                    timed.add(next);
                    return next;
                },
                sender,
                () -> {});
        first = new Try(null, pick, null, null, Duration.ZERO);
        race.start(first);
    }

    private Try copy(Pick pick) {
        Try copy = new Try(null, pick, null, null, Duration.ZERO);
        copies.add(copy);
        return copy;
    }

    private int inFlight() {
        return real.snapshot().endpoints().stream()
                .mapToInt(EndpointSnapshot::inFlight)
                .sum();
    }

    private LoadBalancer watched(LoadBalancer balanced) {
        return (LoadBalancer) Proxy.newProxyInstance(
                RaceTest.class.getClassLoader(), new Class<?>[] {LoadBalancer.class}, (proxy, method, arguments) -> {
                    Object result = method.invoke(balanced, arguments);
                    return result instanceof Pick pick ? new Watched(pick) : result;
                });
    }

    /** Finds out where it is ended. */
    private final class Watched extends ForwardingPick {
        Watched(Pick pick) {
            super(pick);
        }

        @Override
        public void done(Outcome outcome) {
            look();
            super.done(outcome);
        }

        @Override
        public void outrun() {
            look();
            super.outrun();
        }

        private void look() {
            ends++;
            endsUnderTheLock += Thread.holdsLock(race) ? 1 : 0;
        }
    }

    private static final class Timed implements Scheduler.Task {
        final Runnable task;
        boolean cancelled;

        Timed(Runnable task) {
            this.task = task;
        }

        @Override
        public boolean cancel() {
            cancelled = true;
            return true;
        }
    }
}
