package io.fairlead.servlet;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.io.Content;
import org.jspecify.annotations.Nullable;

/**
 * The client's body on its way to a server. It is read from the container only when the client of the server asks. As
 * long as no more has been read than is kept, the body can be sent once more from its beginning.
 *
 * <p>The container calls the listener's methods; Jetty's client calls those of the {@link Reading}; each from its own
 * threads. The {@link StreamLock} is held while the stream is read, so that it is not touched after {@link #close()}.
 */
final class RequestBody implements ReadListener {
    private static final String TOO_SHORT = "the body is shorter than its length";

    private static final int PEEKED_BYTES = 32 * 1024;

    /** So much is read in a row, then others of the same thread have their turn. */
    private static final int TURN_BYTES = 256 * 1024;

    private final HttpServletRequest request;
    private volatile @Nullable ServletInputStream input;
    private final boolean waitsToBeAskedFor;
    private final AtomicBoolean listening = new AtomicBoolean();
    private final long length;
    private final long maxLength;
    private final Consumer<Throwable> onError;

    /** In whose call of {@link #onError} we are. */
    private volatile @Nullable Thread telling;

    private final StreamLock lock = new StreamLock();

    // Written by who holds the lock.
    private final ReplayBuffer buffer;
    private volatile boolean ended;
    private volatile @Nullable Reading reading;

    private volatile boolean readable;
    /**
     * The container has said that all has been read. Tomcat does so when it has read all itself, however much of that is
     * still to be had of its stream: the stream must be asked.
     */
    private volatile boolean allTold;

    private volatile boolean closed;
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private volatile boolean failedWhileAwaited;

    /**
     * Is to be run once there is something to read. Who puts it here looks at what he waits for afterwards, and who tells of
     * that takes it away afterwards: neither waits for the other.
     */
    private final AtomicReference<@Nullable Runnable> demand = new AtomicReference<>();

    /** Is told how one sending of the body goes on, by the thread that sends. */
    interface Progress {
        /** The server has taken what it was given, and is given more. */
        void handedOut();

        /**
         * Runs a task when others have had their turn.
         *
         * @return false: it is not going to be run
         */
        boolean later(Runnable task);

        /** There is nothing to give before the client has sent more. */
        void waitsForClient();
    }

    /** The body is longer than it may be. */
    static final class TooLongException extends IOException {
        private static final long serialVersionUID = 1L;

        private TooLongException() {
            super("the body of the request is too long");
        }
    }

    private RequestBody(HttpServletRequest request, long maxLength, Consumer<Throwable> onError) {
        this.request = request;
        this.length = request.getContentLengthLong();
        // HTTP/1.0 has no way to be asked, and means nothing by the field (RFC 9110, 10.1.1).
        this.waitsToBeAskedFor = !request.getProtocol().equals("HTTP/1.0")
                && "100-continue".equalsIgnoreCase(request.getHeader("Expect"));
        this.maxLength = maxLength;
        this.onError = onError;
        buffer = new ReplayBuffer(length);
    }

    /**
     * The body of a request whose processing has become asynchronous.
     *
     * @param maxLength one that turns out to be longer cannot be read to its end: {@link TooLongException}
     * @param onError is told when the client's body cannot be read to its end
     * @return null when the request has none
     */
    static @Nullable RequestBody of(HttpServletRequest request, long maxLength, Consumer<Throwable> onError)
            throws IOException {
        if (request.getContentLengthLong() == 0) {
            return null;
        }
        boolean isSaid = request.getContentLengthLong() > 0 || request.getHeader("Transfer-Encoding") != null;
        if (!isSaid && !request.getProtocol().startsWith("HTTP/2")) {
            return null;
        }
        // HTTP/2 needs neither field: whether there is a body says the end of the stream.
        RequestBody body = new RequestBody(request, maxLength, onError);
        return isSaid || body.mayCome() ? body : null;
    }

    /** Whether the request has a body, or may have, as far as its head says. */
    static boolean isPresent(HttpServletRequest request) {
        if (request.getContentLengthLong() >= 0) {
            return request.getContentLengthLong() > 0;
        }
        if (request.getHeader("Transfer-Encoding") != null) {
            return true;
        }
        return request.getProtocol().startsWith("HTTP/2")
                && (request.getContentType() != null
                        || switch (request.getMethod()) {
                            case "GET", "HEAD", "TRACE" -> false;
                            default -> true;
                        });
    }

    /** Whether the stream has not ended with the head. What there is of the body is kept. */
    private boolean mayCome() throws IOException {
        lock.lock();
        try {
            if (request.getInputStream().isFinished()) {
                return false;
            }
            ServletInputStream stream = startListening();
            if (!stream.isReady()) {
                return true;
            }
            // Jetty tells the end only to who reads.
            readable = true;
            buffer.keep(PEEKED_BYTES);
            ended = buffer.read(stream, () -> false) == null;
            return !ended;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Reads the beginning of the body, and keeps it, so that it is there when the first try asks for it; before any does.
     *
     * @param bytes so many are read, or all of a shorter body
     * @param filled is run once, by whatever thread, when they are; not when the body cannot be read
     */
    void fill(int bytes, Runnable filled) {
        ask();
        Runnable goOn = () -> fill(bytes, filled);
        Throwable cause = null;
        lock.lock();
        lock.goIn();
        try {
            buffer.keep(bytes);
            try {
                while (!closed && failure.get() == null && !isEnd() && buffer.taken() < bytes) {
                    if (isReadable()) {
                        readOn();
                        continue;
                    }
                    demand.set(goOn);
                    if (!readable || !demand.compareAndSet(goOn, null)) {
                        return;
                    }
                }
                if (isTooShort()) {
                    throw new EOFException(TOO_SHORT);
                }
            } catch (IOException | RuntimeException e) {
                cause = e;
            }
            if (cause == null && (closed || failure.get() != null)) {
                return;
            }
        } finally {
            lock.comeOut();
            lock.unlock();
        }
        if (cause == null) {
            filled.run();
        } else {
            broken(cause);
        }
    }

    /** Whether the stream has something; it is asked once the container has said that it may be. */
    private boolean isReadable() {
        ServletInputStream stream = input;
        while (readable && stream != null) {
            // Before the stream is asked: once it has said no, the container may call at any moment, and it may do so
            // by this very thread before it says no.
            readable = false;
            boolean told = allTold;
            if (stream.isFinished()) {
                ended = true;
                return true;
            }
            if (stream.isReady()) {
                readable = true;
                return true;
            }
            if (told) {
                ended = true;
                return true;
            }
        }
        return false;
    }

    /** Whether there is more to be read at once; the end is not asked for where the length tells it. */
    private boolean hasMore() {
        return !isEnd() && isReadable() && !ended;
    }

    /** The next piece; null at the end. */
    private @Nullable ByteBuffer readOn() throws IOException {
        ServletInputStream stream = input;
        ByteBuffer read = ended || stream == null ? null : buffer.read(stream, this::hasMore);
        if (read == null) {
            ended = true;
        } else if (buffer.taken() > maxLength) {
            throw new TooLongException();
        }
        return read;
    }

    /** Begins to listen, unless that would ask the client for a body that it wants to be asked for by the server. */
    void listen() {
        if (!waitsToBeAskedFor) {
            listenNow();
        }
    }

    /** The server has asked for the body, or has been waited for long enough; the client is asked for it. */
    void ask() {
        if (waitsToBeAskedFor) {
            listenNow();
        }
    }

    private void listenNow() {
        if (closed) {
            return;
        }
        try {
            startListening();
        } catch (IOException | IllegalStateException e) {
            // The container has ended the request in this moment.
            broken(e);
        }
    }

    private ServletInputStream startListening() throws IOException {
        // Not before: a container asks the client for the body as soon as somebody asks for the stream.
        ServletInputStream stream = request.getInputStream();
        input = stream;
        if (listening.compareAndSet(false, true)) {
            stream.setReadListener(this);
        }
        return stream;
    }

    /** Whether the client waits to be asked for the body, and has not been. */
    boolean isToBeAskedFor() {
        return waitsToBeAskedFor && !listening.get();
    }

    /** The fields behind the body, once it has been read to its end; null where there are none. */
    @Nullable
    HttpFields trailers() {
        return ended && !closed ? Trailers.of(request) : null;
    }

    /** The body's length; -1 where it is not known before. */
    long length() {
        return length;
    }

    /**
     * The body from its beginning, for one more try; the reading before is ended by this.
     *
     * @param progress is told how the sending goes on
     * @param keep so many bytes are kept for another try, while none has been let go; the greatest word counts
     * @return null when the beginning is gone
     */
    @Nullable
    Reading read(Progress progress, int keep) {
        boolean has = lock.enter();
        try {
            if (!isReplayable()) {
                return null;
            }
            buffer.keep(keep);
            Reading begun = new Reading(progress);
            reading = begun;
            demand.set(null);
            return begun;
        } finally {
            lock.leave(has);
        }
    }

    /** Whether {@link #read} can give the body once more. */
    boolean isReplayable() {
        return buffer.isWhole() && failure.get() == null && !closed;
    }

    /** Whether the client's body could not be read to its end, and {@code onError} is told. */
    boolean hasFailed() {
        return failure.get() != null;
    }

    /** Whether, when it failed, nothing was waited for but the client. */
    boolean hasFailedWhileAwaited() {
        return failedWhileAwaited;
    }

    /** How many bytes of it have been read. */
    long taken() {
        return buffer.taken();
    }

    /** Whether a server has been handed the body to its end. */
    boolean isReadWhole() {
        return isEnd();
    }

    /** Whether the container's stream has come to its end; a body may be whole by its length before that. */
    boolean hasEnded() {
        return ended;
    }

    /** Whether the stream has ended before the body was as long as it said: over HTTP/2, or on Tomcat by a broken connection. */
    private boolean isTooShort() {
        return ended && length >= 0 && buffer.taken() < length;
    }

    private boolean isEnd() {
        return ended || (length >= 0 && buffer.taken() == length);
    }

    /** After this the container's stream is not touched any more. */
    void close() {
        closed = true;
        // Whoever is at the stream is waited for.
        lock.leave(lock.enter());
        run(demand.getAndSet(null));
    }

    // The container's side.

    @Override
    public void onDataAvailable() {
        readable = true;
        goOn();
    }

    @Override
    public void onAllDataRead() {
        allTold = true;
        readable = true;
        goOn();
    }

    /** Waits for nobody: Tomcat tells of a chunked body's end while it holds what a reader needs. */
    private void goOn() {
        run(demand.getAndSet(null));
    }

    @Override
    public void onError(Throwable t) {
        telling = Thread.currentThread();
        try {
            broken(t);
        } finally {
            telling = null;
        }
    }

    /** Whether it is the container that tells of the body's end, by this thread: some close the connection after that. */
    boolean isToldByContainer() {
        return Thread.currentThread().equals(telling);
    }

    /** The client's body cannot be read to its end. */
    private void broken(Throwable cause) {
        if (closed || failure.get() != null) {
            return;
        }
        Runnable waiting = demand.getAndSet(null);
        if (failure.compareAndSet(null, cause)) {
            failedWhileAwaited = waiting != null;
            onError.accept(cause);
        }
        run(waiting);
    }

    private static void run(@Nullable Runnable waiting) {
        if (waiting != null) {
            waiting.run();
        }
    }

    /** One sending of the body. */
    final class Reading implements Request.Content {
        private final Progress progress;
        /** So many blocks of what was read before have been handed out again. */
        private int replayed;

        private final int toReplay = buffer.blocks();

        // Of the thread that sends.
        private int readInTurn;
        private boolean turnIsOver;

        private Reading(Progress progress) {
            this.progress = progress;
        }

        @Override
        public long getLength() {
            return length;
        }

        @Override
        public @Nullable String getContentType() {
            return null;
        }

        @Override
        public Content.@Nullable Chunk read() {
            if (readInTurn >= TURN_BYTES) {
                readInTurn = 0;
                turnIsOver = true;
                return null;
            }
            Content.Chunk chunk = next();
            if (chunk == null) {
                readInTurn = 0;
                progress.waitsForClient();
            } else {
                readInTurn += chunk.remaining();
                progress.handedOut();
            }
            return chunk;
        }

        private Content.@Nullable Chunk next() {
            Throwable cause;
            lock.lock();
            try {
                if (reading != this || closed) {
                    return Content.Chunk.from(new IOException("the request has ended"));
                }
                Throwable failed = failure.get();
                if (failed != null) {
                    return Content.Chunk.from(failed);
                }
                boolean tooLong = buffer.taken() > maxLength;
                if (!tooLong && replayed < toReplay) {
                    ByteBuffer again = buffer.block(replayed++);
                    return Content.Chunk.from(again, replayed == toReplay && isEnd() && !isTooShort());
                }
                if (!tooLong && isEnd() && !isTooShort()) {
                    return Content.Chunk.EOF;
                }
                if (!tooLong && !readable && !ended) {
                    return null;
                }
                try {
                    if (tooLong) {
                        throw new TooLongException();
                    }
                    lock.goIn();
                    Content.Chunk chunk;
                    try {
                        chunk = take();
                    } finally {
                        lock.comeOut();
                    }
                    if (!isTooShort()) {
                        return chunk;
                    }
                    cause = new EOFException(TOO_SHORT);
                } catch (IOException | RuntimeException e) {
                    cause = e;
                }
            } finally {
                lock.unlock();
            }
            broken(cause);
            return Content.Chunk.from(cause);
        }

        private Content.@Nullable Chunk take() throws IOException {
            if (!isReadable()) {
                return null;
            }
            ByteBuffer read = readOn();
            if (read == null) {
                return Content.Chunk.EOF;
            }
            return Content.Chunk.from(read, isEnd());
        }

        @Override
        public void demand(Runnable callback) {
            if (turnIsOver) {
                turnIsOver = false;
                if (progress.later(callback)) {
                    return;
                }
            }
            demand.set(callback);
            boolean canRead =
                    reading != this || closed || failure.get() != null || readable || isEnd() || replayed < toReplay;
            if (canRead && demand.compareAndSet(callback, null)) {
                callback.run();
            }
        }

        /** The try has failed; the client's body is none the worse for it. */
        @Override
        public void fail(Throwable cause) {
            boolean had = false;
            boolean has = lock.enter();
            try {
                if (reading == this) {
                    reading = null;
                    had = true;
                }
            } finally {
                lock.leave(has);
            }
            if (had) {
                run(demand.getAndSet(null));
            }
        }
    }
}
