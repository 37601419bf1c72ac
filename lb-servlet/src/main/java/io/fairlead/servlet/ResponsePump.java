package io.fairlead.servlet;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.util.thread.Invocable;
import org.eclipse.jetty.util.thread.Invocable.InvocationType;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries the body of an answer from the server to the client, at the pace of the slower of the two: the server is asked
 * for more only once the client's side has taken what was there.
 *
 * <p>A short body that is there at once goes into the container's buffer and needs no listener. Everything else is
 * written by the listener's rules.
 *
 * <p>The container ({@code isReady()} said no, and now it can be written), Jetty's client (more has come) and the
 * exchange (it has ended) wake the pump, each from its own threads. Whoever wakes it while it runs leaves the work to
 * the thread that is running it, so that all of it is done by one thread at a time; the lock is for the container, which
 * takes the response back when no thread is within it.
 */
final class ResponsePump implements WriteListener {
    private static final Logger log = LoggerFactory.getLogger(ProxyFilter.class);
    private static final int HAND_OVER_NANOS = 10_000;

    /** So much is carried in a row, then others of the same thread have their turn. */
    private static final int TURN_BYTES = 256 * 1024;

    private final Relay relay;
    private final HttpServletResponse response;
    private final ServletOutputStream output;
    private final Content.Source source;
    private final @Nullable TransformedSource transformed;
    /** Null: whoever wakes the pump may run it. */
    private final @Nullable Executor runner;

    private final boolean heldBack;
    private final long length;
    private final boolean bodiless;
    private final AtomicInteger wakes = new AtomicInteger();
    private final AtomicLong written = new AtomicLong();
    private final Runnable onData = Invocable.from(InvocationType.NON_BLOCKING, this::dataCame);

    /** The thread that has handed the source over is through with it. */
    private volatile boolean handedOver;

    private volatile boolean waitsForClient;
    private volatile boolean waitsForServer;
    private volatile boolean waitsForTurn;
    private volatile boolean writeFailed;

    // Of the running thread.
    private boolean begun;
    private boolean closed;
    private boolean unflushed;
    private boolean allRead;
    private boolean endsApart;
    private @Nullable Gathering gathering;
    private Content.@Nullable Chunk next;
    /** What was written last: the container may still be reading from it, so it is let go when it is ready again. */
    private Content.@Nullable Chunk held;

    /** Held by who writes. */
    private final StreamLock touching = new StreamLock();

    /** What a pump asks and tells, from whichever thread runs it. */
    interface Relay {
        boolean hasEnded();

        /** Whether the container has no more use for anything that it was given. */
        boolean isCompleted();

        /** Some of the answer has come, or has been taken. */
        void moved();

        /**
         * Runs a task when others have had their turn that are served by the thread of the server's connection.
         *
         * @return false: it is not going to be run
         */
        boolean later(Runnable task);

        /** The answer has been read to its end. */
        void answerRead();

        /** Whether the end of an answer that has been read is to be written by itself, after all of its body. */
        boolean endsApart();

        /** The answer has been handed to the container whole. */
        void finish();

        /** The server broke off in the middle of its answer. */
        void serverBrokeOff(Throwable cause);

        /** The container could not write the answer: because of its head, or else since the client is gone. */
        void notWritten(Throwable cause);

        /** The answer cannot be carried on, for a reason that is neither the client's nor the server's. */
        void pumpFailed(Throwable cause);

        /** Nobody wants the answer any more: nothing more of it is to come. */
        void disconnect();

        /** The pump has let go of the answer of an exchange that has ended. */
        void letGo();
    }

    /**
     * A pump that {@link #wake()} starts.
     *
     * @param length the announced length, -1 where there is none
     * @param bodiless whether such an answer never has a body
     */
    ResponsePump(Relay relay, HttpServletResponse response, Content.Source source, long length, boolean bodiless)
            throws IOException {
        this(relay, response, source, null, null, false, length, bodiless);
    }

    private ResponsePump(
            Relay relay,
            HttpServletResponse response,
            Content.Source source,
            @Nullable TransformedSource transformed,
            @Nullable Executor runner,
            boolean heldBack,
            long length,
            boolean bodiless)
            throws IOException {
        this.relay = relay;
        this.response = response;
        this.output = response.getOutputStream();
        this.source = source;
        this.transformed = transformed;
        this.runner = runner;
        this.heldBack = heldBack;
        this.length = length;
        this.bodiless = bodiless;
    }

    /**
     * A pump of a body that is changed on its way, as the head says.
     *
     * @param runner runs it, since changes take their time, and who wakes it may have others to look after
     */
    static ResponsePump transforming(
            Relay relay, HttpServletResponse response, Content.Source source, Head head, Executor runner)
            throws IOException {
        TransformedSource transformed = new TransformedSource(source, head);
        return new ResponsePump(
                relay, response, transformed, transformed, runner, head.isHeldBack(), head.length(), false);
    }

    @Override
    public void onWritePossible() {
        waitsForClient = false;
        relay.moved();
        wake();
    }

    @Override
    public void onError(Throwable t) {
        writeFailed = true;
        relay.notWritten(t);
        awaitLetGo();
    }

    private void dataCame() {
        waitsForServer = false;
        wake();
    }

    /** How many bytes have been given to the container. */
    long written() {
        return written.get();
    }

    /** Goes on wherever it can. */
    void wake() {
        if (wakes.getAndIncrement() != 0) {
            return;
        }
        if (runner != null) {
            try {
                runner.execute(this::runOnceHandedOver);
                return;
            } catch (RejectedExecutionException e) {
                // The proxy is being stopped: who woke it does the rest.
                log.debug("the proxy has no thread for an answer", e);
            }
        }
        runAwake();
    }

    /** Who has handed the source over to {@link #wake()} will not touch it, nor what it belongs to, from here on. */
    void handedOver() {
        handedOver = true;
    }

    /**
     * Jetty's client looks at a connection once more on its way back from whom it gives the source to. By then another
     * thread may have read all of it, and the connection be closed, and its buffer be let go by both.
     */
    private void runOnceHandedOver() {
        awaitHandedOver();
        runAwake();
    }

    private void awaitHandedOver() {
        while (!handedOver) {
            // Not by a lock or a latch: to let go of one would hold that thread up, in the middle of its way.
            LockSupport.parkNanos(HAND_OVER_NANOS);
        }
    }

    private void wakeAfterTurn() {
        awaitHandedOver();
        waitsForTurn = false;
        wake();
    }

    private void runAwake() {
        int seen = 1;
        do {
            touching.lock();
            touching.goIn();
            try {
                run();
            } finally {
                touching.comeOut();
                touching.unlock();
            }
            seen = wakes.addAndGet(-seen);
        } while (seen != 0);
    }

    /**
     * Waits until no thread is within a write or a flush. Tomcat takes a response back when the client has gone, and gives
     * its parts to another connection: what a late write did would be done to that one. The exchange has ended by now, so
     * this is a moment only.
     */
    void awaitLetGo() {
        if (!touching.isHeldByThisThread()) {
            touching.leave(touching.enter());
        }
    }

    private void run() {
        try {
            if (!begun && !relay.hasEnded()) {
                begun = true;
                begin();
            }
            long turnEnds = written.get() + TURN_BYTES;
            while (!relay.hasEnded() && clientIsReady()) {
                release();
                if (allRead && next == null && !unflushed) {
                    relay.finish();
                    return;
                }
                if (!step()) {
                    break;
                }
                if (runner == null && written.get() >= turnEnds) {
                    waitsForTurn = true;
                    if (relay.later(this::wakeAfterTurn)) {
                        break;
                    }
                    waitsForTurn = false;
                    turnEnds = Long.MAX_VALUE;
                }
            }
        } catch (IOException e) {
            writeFailed = true;
            relay.notWritten(e);
        } catch (RuntimeException e) {
            relay.pumpFailed(e);
        }
        if (relay.hasEnded()) {
            close();
        }
    }

    private void begin() throws IOException {
        boolean isShort = !bodiless && length < directLimit();
        if (isShort && bufferWhole()) {
            return;
        }
        if (length >= 0) {
            response.setContentLengthLong(length);
        }
        // What is known of the answer goes out at once, however long its body may take; and the head of a bodiless one
        // before its end, else the container would announce a length of 0, which the answer to a GET need not have.
        // A head that is held back goes with the first of the body, which may be in the container's buffer already.
        unflushed = heldBack ? written.get() > 0 : !bodiless || length < 0;
        gathering = Gathering.of(response, output, written.get());
        waitsForClient = true;
        output.setWriteListener(this);
    }

    /** Containers write through what is longer than a part of their buffer. */
    private int directLimit() {
        return response.getBufferSize() / 4;
    }

    /** Takes what is there; true when that was all of it and the answer is done. */
    private boolean bufferWhole() throws IOException {
        int room = directLimit();
        while (true) {
            Content.Chunk chunk = source.read();
            if (chunk == null) {
                return false;
            }
            if (Content.Chunk.isFailure(chunk) || chunk.remaining() >= room) {
                next = chunk;
                return false;
            }
            room -= chunk.remaining();
            boolean last = chunk.isLast();
            try {
                write(chunk.getByteBuffer());
            } finally {
                chunk.release();
            }
            if (last) {
                allRead = true;
                endsApart = relay.endsApart();
                relay.answerRead();
                if (endsApart && written.get() > 0) {
                    return false;
                }
                waitsForClient = true;
                relay.finish();
                return true;
            }
        }
    }

    private boolean clientIsReady() {
        if (waitsForClient || waitsForServer || waitsForTurn) {
            return false;
        }
        // Before it is asked: once it has said no, the container may call at any moment.
        waitsForClient = true;
        boolean ready = output.isReady();
        if (ready) {
            waitsForClient = false;
        }
        return ready;
    }

    /** Moves on by one write; false when it is somebody else's turn. */
    private boolean step() throws IOException {
        Gathering gathered = gathering;
        if (gathered != null && gathered.isFull()) {
            flush();
            return true;
        }
        Content.Chunk chunk = next != null || allRead ? next : source.read();
        next = null;
        if (chunk == null) {
            if (unflushed) {
                flush();
                return true;
            }
            waitsForServer = true;
            relay.moved();
            source.demand(onData);
            return false;
        }
        if (Content.Chunk.isFailure(chunk)) {
            if (unflushed && written.get() > 0 && response.isCommitted()) {
                // What has come of the answer is the client's, though the rest is not to come.
                next = chunk;
                flush();
                return true;
            }
            if (transformed != null && transformed.hasFailedItself()) {
                relay.pumpFailed(chunk.getFailure());
            } else {
                relay.serverBrokeOff(chunk.getFailure());
            }
            return false;
        }
        if (chunk.isLast() && !allRead) {
            allRead = true;
            endsApart = relay.endsApart();
            unflushed &= bodiless || endsApart;
            relay.answerRead();
        }
        if (!chunk.hasRemaining() || bodiless) {
            // Of what never has a body a server may send one all the same, which no client is to take for an answer.
            chunk.release();
        } else if (gathered == null) {
            unflushed |= !allRead || endsApart;
            held = chunk;
            write(chunk.getByteBuffer());
        } else {
            gather(chunk, gathered);
        }
        return true;
    }

    /** Puts as much of it into the container's buffer as that holds; what it does not is next. */
    private void gather(Content.Chunk chunk, Gathering gathered) throws IOException {
        ByteBuffer bytes = chunk.getByteBuffer();
        int count = gathered.fitting(bytes.remaining());
        ByteBuffer piece = bytes.slice(bytes.position(), count);
        bytes.position(bytes.position() + count);
        if (bytes.hasRemaining()) {
            next = chunk;
        } else {
            held = chunk;
        }
        gathered.took(count);
        write(piece);
        unflushed |= !allRead || endsApart || gathered.isMuch();
    }

    private void flush() throws IOException {
        unflushed = false;
        if (gathering != null) {
            gathering.flushed();
        }
        output.flush();
    }

    private void write(ByteBuffer bytes) throws IOException {
        if (!bytes.hasRemaining()) {
            return;
        }
        // One thread writes at a time.
        written.lazySet(written.get() + bytes.remaining());
        if (bytes.hasArray()) {
            output.write(bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
        } else {
            byte[] copy = new byte[bytes.remaining()];
            bytes.get(copy);
            output.write(copy);
        }
    }

    /**
     * The exchange has ended. What has come of an answer that nobody wants is read off first: Jetty's client gives its
     * buffer back only when it finds it empty.
     */
    private void close() {
        if (!closed) {
            closed = true;
            if (next != null) {
                next.release();
                next = null;
            }
            if (transformed != null) {
                transformed.close();
            }
            if (!allRead && !waitsForServer) {
                Leftovers.readOff(source, relay::disconnect);
            }
        }
        // Each time: who ended the exchange may have said only now what is left to be done.
        relay.letGo();
        // A write may still be under way until the container has done with the response.
        if (writeFailed || relay.isCompleted()) {
            release();
        }
    }

    private void release() {
        Content.Chunk written = held;
        held = null;
        if (written != null) {
            written.release();
        }
        if (closed && transformed != null) {
            transformed.release();
        }
    }
}
