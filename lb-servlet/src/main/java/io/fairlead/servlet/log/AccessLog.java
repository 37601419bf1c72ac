package io.fairlead.servlet.log;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The access log of one filter, which follows its configuration: on, off, or another file from one request to the next.
 *
 * <p>Safe for use from any thread. Neither asking nor telling waits.
 */
public final class AccessLog implements AutoCloseable {
    private volatile @Nullable Running running;
    private boolean closed; // guarded by this

    private record Running(AccessLogSpec spec, LogWriter writer) {}

    /**
     * From now on it is this; where it is as before, nothing happens. What the log before has taken is written all the
     * same, and not waited for.
     *
     * @param spec null: no log
     */
    public synchronized void configure(@Nullable AccessLogSpec spec) {
        Running before = running;
        if (closed || Objects.equals(before == null ? null : before.spec(), spec)) {
            return;
        }
        running = spec == null ? null : new Running(spec, new LogWriter(spec));
        if (before != null) {
            before.writer().end();
        }
    }

    /** What is to be told; null: nothing. */
    public @Nullable AccessLogSpec spec() {
        Running now = running;
        return now == null ? null : now.spec();
    }

    /** Tells of a request. */
    public void add(AccessEntry entry) {
        Running now = running;
        if (now != null && now.spec().filters().lets(entry)) {
            now.writer().add(entry);
        }
    }

    /** How many entries of the present log were lost, since they came quicker than they could be written. */
    public long lost() {
        Running now = running;
        return now == null ? 0 : now.writer().lost();
    }

    /** Writes what waits and ends the thread; a second time nothing happens. */
    @Override
    public void close() {
        Running last;
        synchronized (this) {
            last = running;
            running = null;
            closed = true;
        }
        if (last != null) {
            last.writer().close();
        }
    }
}
