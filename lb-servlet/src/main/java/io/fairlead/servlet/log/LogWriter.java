package io.fairlead.servlet.log;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes entries, by a thread of its own. Who adds one never waits: where too many wait to be written, it is lost, and
 * counted.
 *
 * <p>Safe for use from any thread.
 */
final class LogWriter implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(AccessLog.class);

    private static final int MOST_CHARS = 64 * 1024;
    private static final long LOOK_NANOS = Duration.ofSeconds(1).toNanos();
    private static final long CLOSE_MILLIS = 5_000;
    /** A sign in the queue, compared by its identity. */
    private static final Object END = new Object();

    private final BlockingQueue<Object> queue;
    private final LogFormat format;
    private final LogFile file;
    private final String name;
    private final AtomicLong lost = new AtomicLong();
    private final Thread thread;
    private volatile boolean closed;

    // Of the thread.
    private long count;
    private long toldLost;
    private boolean failing;
    private long looked = System.nanoTime();

    LogWriter(AccessLogSpec spec) {
        queue = new ArrayBlockingQueue<>(spec.buffer());
        format = spec.lines();
        file = new LogFile(spec.file());
        name = spec.file() == null ? "standard output" : spec.file().toString();
        thread = new Thread(this::run, "fairlead-access-log");
        thread.setDaemon(true);
        thread.start();
    }

    void add(AccessEntry entry) {
        if (closed || !queue.offer(entry)) {
            lost.incrementAndGet();
        }
    }

    long lost() {
        return lost.get();
    }

    private void run() {
        StringBuilder lines = new StringBuilder();
        boolean ended = false;
        while (!ended) {
            Object next = closed ? queue.poll() : take();
            ended = next == null && closed;
            while (next != null) {
                if (next == END) {
                    ended = true;
                } else if (next instanceof AccessEntry entry) {
                    count++;
                    format.append(lines, entry, count);
                }
                next = lines.length() < MOST_CHARS ? queue.poll() : null;
            }
            write(lines);
            lines.setLength(0);
        }
        try {
            file.close();
        } catch (IOException e) {
            log.warn("the access log {} could not be closed: {}", name, e.toString());
        }
    }

    private @Nullable Object take() {
        try {
            return queue.take();
        } catch (InterruptedException e) {
            // Nobody but close() ends this thread, and by another way.
            return null;
        }
    }

    private void write(StringBuilder lines) {
        if (lines.length() == 0) {
            return;
        }
        try {
            if (System.nanoTime() - looked > LOOK_NANOS || failing) {
                looked = System.nanoTime();
                file.look();
            }
            file.write(lines.toString().getBytes(StandardCharsets.UTF_8));
            failing = false;
        } catch (IOException e) {
            int missing = (int) lines.chars().filter(c -> c == '\n').count();
            lost.addAndGet(missing);
            if (!failing) {
                failing = true;
                log.error("the access log {} cannot be written: {}", name, e.toString());
            }
            closeBroken();
        }
        tellLost();
    }

    private void closeBroken() {
        try {
            file.close();
        } catch (IOException e) {
            log.debug("the access log {} could not be closed", name, e);
        }
    }

    private void tellLost() {
        long now = lost.get();
        if (now != toldLost && !failing) {
            log.warn("the access log {} has lost {} lines so far", name, now);
            toldLost = now;
        }
    }

    /** Takes no more, and ends the thread when what waits is written. */
    void end() {
        closed = true;
        // It is woken by the sign, or else, where there is no room for one, finds that it is to end.
        queue.offer(END);
    }

    /** {@link #end()}, and waits for it, a few seconds at the most. */
    @Override
    public void close() {
        end();
        try {
            thread.join(CLOSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
