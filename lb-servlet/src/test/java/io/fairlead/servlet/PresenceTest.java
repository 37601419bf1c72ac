package io.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class PresenceTest {
    private final Presence presence = new Presence(TimeUnit.MINUTES.toNanos(1));

    @Test
    void nobodyComesInOnceTheContainerHasTakenTheRequestBack() {
        assertThat(presence.enter()).isTrue();
        presence.leave();

        presence.takeBack();

        assertThat(presence.enter()).isFalse();
    }

    @Test
    void theContainerWaitsForAllThatAreWithin() throws Exception {
        assertThat(presence.enter()).isTrue();
        assertThat(presence.enter()).isTrue();
        Thread container = waiting();

        presence.leave();
        // Not by join: a thread that wants a monitor is taken for one that hands back.
        LockSupport.parkNanos(20_000_000);
        assertThat(container.isAlive()).isTrue();
        assertThat(presence.enter()).isFalse();

        presence.leave();
        container.join();
    }

    @Test
    void itDoesNotWaitLongerThanTheLimit() {
        Presence impatient = new Presence(1_000_000);
        assertThat(impatient.enter()).isTrue();

        impatient.takeBack();

        assertThat(impatient.enter()).isFalse();
        impatient.leave();
    }

    @Test
    void whoHandsTheRequestBackDoesNotWaitForHimself() {
        assertThat(presence.enter()).isTrue();
        presence.handsBack();

        presence.takeBack();

        presence.leave();
        assertThat(presence.enter()).isFalse();
    }

    @Test
    void whoHandsItBackIsWaitedForAsLongAsHeMayStillDoSo() throws Exception {
        assertThat(presence.enter()).isTrue();
        presence.handsBack();
        Thread container = waiting();

        // Not by join: a thread that wants a monitor is taken for one that hands back.
        LockSupport.parkNanos(20_000_000);
        assertThat(container.isAlive()).isTrue();

        presence.leave();
        container.join();
    }

    @Test
    void whoHandsItBackWaitsForOthersAllTheSame() throws Exception {
        CountDownLatch within = new CountDownLatch(1);
        CountDownLatch mayLeave = new CountDownLatch(1);
        CompletableFuture<Void> other = runAsync(() -> {
            presence.enter();
            within.countDown();
            await(mayLeave);
            presence.leave();
        });
        within.await();
        CompletableFuture<Void> handing = runAsync(() -> {
            presence.enter();
            presence.handsBack();
            presence.takeBack();
            presence.leave();
        });
        Awaitility.await().pollInterval(Duration.ofMillis(1)).until(() -> !comesIn());
        assertThat(handing).isNotDone();

        mayLeave.countDown();

        other.get(10, TimeUnit.SECONDS);
        handing.get(10, TimeUnit.SECONDS);
    }

    /** Tomcat holds a monitor while it tells of the end, which every call on its asynchronous context needs. */
    @Test
    void theContainerDoesNotWaitForOneThatWaitsForIt() throws Exception {
        Object monitor = new Object();
        AtomicInteger through = new AtomicInteger();
        Thread handing = new Thread(() -> {
            presence.enter();
            presence.handsBack();
            synchronized (monitor) {
                through.incrementAndGet();
            }
            presence.leave();
        });
        synchronized (monitor) {
            handing.start();
            Awaitility.await()
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> handing.getState() == Thread.State.BLOCKED);

            presence.takeBack();

            assertThat(through).hasValue(0);
        }
        handing.join();
        assertThat(through).hasValue(1);
    }

    /** What waits then is behind the monitor when the request has ended, and may have it after the next has begun. */
    @Test
    void beforeItEndsARequestTheContainerWaitsForOneThatWantsAMonitor() throws Exception {
        Object monitor = new Object();
        Thread handing = new Thread(() -> {
            presence.enter();
            presence.handsBack();
            synchronized (monitor) {
                presence.leave();
            }
        });
        CompletableFuture<Void> container;
        synchronized (monitor) {
            handing.start();
            Awaitility.await()
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> handing.getState() == Thread.State.BLOCKED);

            container = runAsync(presence::takeBackBeforeEnd);

            LockSupport.parkNanos(20_000_000);
            assertThat(container).isNotDone();
            assertThat(presence.enter()).isFalse();
        }
        container.get(10, TimeUnit.SECONDS);
        handing.join();
    }

    @Test
    void beforeItEndsARequestTheContainersThreadDoesNotWaitForItself() {
        assertThat(presence.enter()).isTrue();
        presence.handsBack();

        presence.takeBackBeforeEnd();

        presence.leave();
        assertThat(presence.enter()).isFalse();
    }

    @Test
    void whatComesWhileItIsTakenBackIsEitherWaitedForOrNotLetIn() throws Exception {
        for (int round = 0; round < 200; round++) {
            Presence contended = new Presence();
            AtomicInteger within = new AtomicInteger();
            CountDownLatch begin = new CountDownLatch(2);
            CompletableFuture<Integer> entering = supplyAsync(() -> {
                int times = 0;
                begin.countDown();
                while (contended.enter()) {
                    within.incrementAndGet();
                    times++;
                    within.decrementAndGet();
                    contended.leave();
                }
                return times;
            });
            begin.countDown();
            await(begin);
            contended.takeBack();
            assertThat(within).hasValue(0);
            entering.get(10, TimeUnit.SECONDS);
        }
    }

    /** A container's thread that waits, for which there is no room any more. */
    private Thread waiting() {
        Thread container = new Thread(presence::takeBack);
        container.start();
        Awaitility.await().pollInterval(Duration.ofMillis(1)).until(() -> !comesIn());
        return container;
    }

    private boolean comesIn() {
        boolean in = presence.enter();
        if (in) {
            presence.leave();
        }
        return in;
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** On a thread of its own: the common pool may have one for all tests. */
    private static CompletableFuture<Void> runAsync(Runnable task) {
        return CompletableFuture.runAsync(task, each -> new Thread(each).start());
    }

    /** On a thread of its own: the common pool may have one for all tests. */
    private static <T> CompletableFuture<T> supplyAsync(Supplier<T> task) {
        return CompletableFuture.supplyAsync(task, each -> new Thread(each).start());
    }
}
