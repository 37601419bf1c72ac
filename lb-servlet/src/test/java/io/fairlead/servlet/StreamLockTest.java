package io.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class StreamLockTest {
    private final StreamLock lock = new StreamLock();
    private final CountDownLatch mayLeave = new CountDownLatch(1);

    @Test
    void whoIsAtTheStreamIsWaitedFor() throws Exception {
        AtomicReference<Boolean> had = new AtomicReference<>();
        lock.lock();
        lock.goIn();
        Thread other = new Thread(() -> had.set(lock.enter()));
        other.start();

        // By this thread, which is running, or waits for a time: as one that reads.
        Awaitility.await()
                .pollInSameThread()
                .pollInterval(Duration.ofMillis(1))
                .until(() -> other.getState() == Thread.State.TIMED_WAITING);
        LockSupport.parkNanos(50_000_000);
        assertThat(had.get()).isNull();

        lock.comeOut();
        lock.unlock();
        other.join();
        assertThat(had.get()).isTrue();
    }

    /** It waits in the container for what the thread has that waits for it. */
    @Test
    void whoWaitsAtTheStreamIsNotWaitedForAsLong() throws Exception {
        Thread reader = atTheStream();

        long began = System.nanoTime();
        boolean had = lock.enter();

        assertThat(had).isFalse();
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(1));
        lock.leave(had);
        mayLeave.countDown();
        reader.join();
        assertThat(lock.enter()).isTrue();
    }

    private Thread atTheStream() {
        Thread reader = new Thread(() -> {
            lock.lock();
            lock.goIn();
            try {
                mayLeave.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            } finally {
                lock.comeOut();
                lock.unlock();
            }
        });
        reader.start();
        Awaitility.await().pollInterval(Duration.ofMillis(1)).until(() -> reader.getState() == Thread.State.WAITING);
        return reader;
    }

    @Test
    void oneThatIsInterruptedWaitsAllTheSameAndIsStillInterrupted() throws Exception {
        lock.lock();
        AtomicReference<Boolean> had = new AtomicReference<>();
        AtomicReference<Boolean> interrupted = new AtomicReference<>();
        Thread other = new Thread(() -> {
            Thread.currentThread().interrupt();
            had.set(lock.enter());
            interrupted.set(Thread.currentThread().isInterrupted());
        });
        other.start();
        LockSupport.parkNanos(20_000_000);

        lock.unlock();

        other.join();
        assertThat(had.get()).isTrue();
        assertThat(interrupted.get()).isTrue();
    }
}
