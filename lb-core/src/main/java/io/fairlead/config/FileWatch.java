package io.fairlead.config;

import io.fairlead.Scheduler;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Watches one small file by reading it, and tells of new content once it has stood still for an interval, so that a file
 * that is just being written is not read in halves.
 *
 * <p>It reads rather than asks the operating system, since change events are missing on network and overlay file systems
 * and name the wrong file where a symbolic link is swapped, as for a Kubernetes ConfigMap; and it compares content rather
 * than times, which are too coarse to tell two writes apart.
 *
 * <p>A file that is missing or cannot be read for a while is taken as unchanged; of one that is larger than a
 * configuration may be, no more than shows that is read. Safe for use from any thread.
 */
public final class FileWatch implements AutoCloseable {
    private final Path file;
    private final Scheduler scheduler;
    private final long intervalNanos;
    private final Consumer<byte[]> changed;

    // Guarded by this.
    private byte[] known;
    private byte @Nullable [] unsettled;
    private boolean closed;
    private Scheduler.@Nullable Timer timer;

    private FileWatch(Path file, byte[] known, Scheduler scheduler, long intervalNanos, Consumer<byte[]> changed) {
        this.file = file;
        this.known = known.clone();
        this.scheduler = scheduler;
        this.intervalNanos = intervalNanos;
        this.changed = changed;
    }

    /**
     * Begins to watch.
     *
     * @param known the content that was read before
     * @param intervalNanos how often the file is read; new content is told of after one to two intervals
     * @param changed is given each new content, on a thread that may block; what it throws goes to the thread's handler
     *     of uncaught exceptions, and the watch goes on
     */
    public static FileWatch start(
            Path file, byte[] known, Scheduler scheduler, long intervalNanos, Consumer<byte[]> changed) {
        FileWatch watch = new FileWatch(file, known, scheduler, intervalNanos, changed);
        watch.later();
        return watch;
    }

    /** Ends the watch; a change that is being told of is not interrupted. */
    @Override
    public synchronized void close() {
        closed = true;
        if (timer != null) {
            timer.cancel();
        }
    }

    private synchronized void later() {
        if (!closed) {
            timer = scheduler.schedule(() -> scheduler.files().execute(this::look), intervalNanos);
        }
    }

    private void look() {
        try {
            byte[] settled = settled();
            if (settled != null) {
                changed.accept(settled);
            }
        } finally {
            later();
        }
    }

    private byte @Nullable [] settled() {
        byte[] now;
        try {
            now = FileText.atMost(file, FileText.MAX_BYTES + 1);
        } catch (IOException e) {
            // Between the removal of the old file and the arrival of the new one there is none.
            return null;
        }
        synchronized (this) {
            if (closed || Arrays.equals(now, known)) {
                unsettled = null;
                return null;
            }
            if (!Arrays.equals(now, unsettled)) {
                unsettled = now;
                return null;
            }
            known = now;
            unsettled = null;
            return now;
        }
    }
}
