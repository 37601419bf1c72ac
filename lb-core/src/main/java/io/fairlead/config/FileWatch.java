package io.fairlead.config;

import io.fairlead.Scheduler;
import java.io.IOException;
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
 * <p>A file that is missing or cannot be read is taken as unchanged, and told of once when that has lasted for several
 * intervals; of one that is larger than a configuration may be, no more than shows that is read. Safe for use from any
 * thread.
 */
public final class FileWatch implements AutoCloseable {
    /** Between the removal of the old file and the arrival of the new one there is none, for a while. */
    private static final int MISSED = 3;

    private final ConfigSource source;
    private final Scheduler scheduler;
    private final long intervalNanos;
    private final Consumer<byte[]> changed;
    private final Consumer<String> unreadable;

    // Guarded by this.
    private NamedFiles named;
    /** The file's content, and that of the files that it names. */
    private byte[] known;

    private byte @Nullable [] unsettled;
    private int missed;
    private boolean closed;
    private Scheduler.@Nullable Timer timer;

    private FileWatch(
            ConfigSource source,
            byte[] known,
            NamedFiles named,
            Scheduler scheduler,
            long intervalNanos,
            Consumer<byte[]> changed,
            Consumer<String> unreadable) {
        this.source = source;
        this.unreadable = unreadable;
        this.named = named;
        this.known = joined(known, named.known());
        this.scheduler = scheduler;
        this.intervalNanos = intervalNanos;
        this.changed = changed;
    }

    /**
     * Begins to watch.
     *
     * @param known the content that was read before
     * @param named the files that it named; they are watched, too
     * @param intervalNanos how often the file is read; new content is told of after one to two intervals
     * @param changed is given each new content, on a thread that may block; what it throws is left to the thread
     *     that it runs on, and the watch goes on
     * @param unreadable is told why the file cannot be read, once until it can be again; as {@code changed}
     */
    static FileWatch start(
            ConfigSource source,
            byte[] known,
            NamedFiles named,
            Scheduler scheduler,
            long intervalNanos,
            Consumer<byte[]> changed,
            Consumer<String> unreadable) {
        FileWatch watch = new FileWatch(source, known, named, scheduler, intervalNanos, changed, unreadable);
        watch.later();
        return watch;
    }

    /** From now on these are the files that are watched beside the file itself, which has this content. */
    synchronized void follow(byte[] content, NamedFiles now) {
        named = now;
        known = joined(content, now.known());
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
            timer = scheduler.schedule(this::lookElsewhere, intervalNanos);
        }
    }

    private void lookElsewhere() {
        try {
            scheduler.files().execute(this::look);
        } catch (RuntimeException | Error e) {
            // No thread is to be had: another time.
            later();
            throw e;
        }
    }

    private void look() {
        try {
            byte[] content = FileText.atMost(source, FileText.MAX_BYTES + 1);
            if (hasSettled(joined(content, named().now()))) {
                changed.accept(content);
            }
        } catch (IOException e) {
            if (isToBeTold()) {
                unreadable.accept(FileText.reason(e));
            }
        } finally {
            later();
        }
    }

    private synchronized boolean isToBeTold() {
        return !closed && ++missed == MISSED;
    }

    private synchronized NamedFiles named() {
        return named;
    }

    private static byte[] joined(byte[] content, byte[] more) {
        byte[] all = Arrays.copyOf(content, content.length + more.length);
        System.arraycopy(more, 0, all, content.length, more.length);
        return all;
    }

    private synchronized boolean hasSettled(byte[] now) {
        missed = 0;
        if (closed || Arrays.equals(now, known)) {
            unsettled = null;
            return false;
        }
        if (!Arrays.equals(now, unsettled)) {
            unsettled = now;
            return false;
        }
        known = now;
        unsettled = null;
        return true;
    }
}
