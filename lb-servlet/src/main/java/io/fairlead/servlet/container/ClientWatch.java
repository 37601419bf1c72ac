package io.fairlead.servlet.container;

import jakarta.servlet.ServletRequest;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out which clients have left while nothing is written to them, where the container does not tell of it: over
 * HTTP/1.1, and where it has reset a stream of HTTP/2 by itself, because its body does not fit its length.
 *
 * <p>Whoever has waited from one look to the next is watched from then on: his socket, which stays the container's, is
 * entered into a selector of ours as well. One that can be read, and has nothing to read, has come to its end. What can
 * be read is left alone, and such a client is not watched any more: its end would stand behind what it has sent.
 *
 * <p>It sees as well where a request over HTTP/2 has ended and its reader has not been told.
 *
 * <p>No thread belongs to it, and a request that is over between two looks costs nothing. Safe for use from any thread.
 */
public final class ClientWatch implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ClientWatch.class);

    // Guarded by this.
    private @Nullable Selector selector;
    private boolean closed;

    /** A request that waits. One object a request. */
    public abstract static class Waiting {
        private enum State {
            NEW,
            SEEN,
            WATCHED,
            STREAM,
            STREAM_GONE,
            NOT_WATCHED
        }

        // Guarded by the watch.
        private State state = State.NEW;
        private @Nullable ClientStream stream;

        /** For subclasses. */
        protected Waiting() {}

        /** Its request; asked only before it is over, and not looked at if it is over right after. */
        protected abstract ServletRequest request();

        /** Whether nothing more of the request is to come. */
        protected abstract boolean isReadWhole();

        /** Whether it is over, so that the container may have taken the request back. */
        protected abstract boolean isOver();

        /** Its client has closed the connection, or at least its own half of it; or its stream of HTTP/2 has been reset. */
        protected abstract void left();

        /** The whole request is there, and who reads it may not have been told. */
        protected abstract void hasCome();
    }

    /** Looks once at those that wait. */
    public void look(Iterable<? extends Waiting> all) {
        List<Waiting> left = new ArrayList<>();
        List<Waiting> come = new ArrayList<>();
        synchronized (this) {
            if (closed) {
                return;
            }
            try {
                forgetThoseThatAreOver();
                for (Waiting each : all) {
                    consider(each, left);
                    if (hasCome(each)) {
                        come.add(each);
                    }
                }
                Selector watching = selector;
                if (watching != null) {
                    watching.selectNow(key -> readable(key, left));
                }
            } catch (IOException e) {
                log.warn("it cannot be seen which clients have left", e);
            }
        }
        left.forEach(Waiting::left);
        come.forEach(Waiting::hasCome);
    }

    private void forgetThoseThatAreOver() throws IOException {
        Selector watching = selector;
        if (watching == null || watching.keys().isEmpty()) {
            return;
        }
        for (SelectionKey key : watching.keys()) {
            if (((Waiting) key.attachment()).isOver()) {
                key.cancel();
            }
        }
        // Only this takes cancelled ones out, and lets closed sockets go.
        watching.selectNow(key -> {});
    }

    private void consider(Waiting waiting, List<Waiting> left) throws IOException {
        switch (waiting.state) {
            case NEW -> waiting.state = Waiting.State.SEEN;
            case SEEN -> {
                if (!waiting.isOver()) {
                    waiting.stream = ClientStream.of(waiting.request());
                }
                if (waiting.stream != null) {
                    waiting.state = Waiting.State.STREAM;
                } else if (waiting.isReadWhole()) {
                    watch(waiting, left);
                }
            }
            case STREAM, STREAM_GONE -> lookAtStream(waiting, left);
            case WATCHED, NOT_WATCHED -> {
                // Settled.
            }
        }
    }

    private static boolean hasCome(Waiting waiting) {
        ClientStream stream = waiting.stream;
        return stream != null && stream.isInputAtEnd() && !waiting.isOver() && !waiting.isReadWhole();
    }

    private static void lookAtStream(Waiting waiting, List<Waiting> left) {
        ClientStream stream = waiting.stream;
        if (stream == null || !stream.isGone()) {
            return;
        }
        if (waiting.state == Waiting.State.STREAM) {
            // It may have ended by its answer, and the request is about to.
            waiting.state = Waiting.State.STREAM_GONE;
            return;
        }
        waiting.state = Waiting.State.NOT_WATCHED;
        if (!waiting.isOver()) {
            left.add(waiting);
        }
    }

    private void watch(Waiting waiting, List<Waiting> left) throws IOException {
        waiting.state = Waiting.State.NOT_WATCHED;
        if (waiting.isOver()) {
            return;
        }
        SocketChannel socket = ClientSocket.of(waiting.request());
        if (socket == null || waiting.isOver()) {
            // Over in this moment: the socket may be that of another request.
            return;
        }
        Selector watching = selector;
        if (watching == null) {
            watching = Selector.open();
            selector = watching;
        }
        try {
            socket.register(watching, SelectionKey.OP_READ, waiting);
            waiting.state = Waiting.State.WATCHED;
        } catch (ClosedChannelException e) {
            left.add(waiting);
        } catch (RuntimeException e) {
            log.debug("a client's socket cannot be watched", e);
        }
    }

    private static void readable(SelectionKey key, List<Waiting> left) {
        Waiting waiting = (Waiting) key.attachment();
        key.cancel();
        waiting.state = Waiting.State.NOT_WATCHED;
        if (ClientSocket.isAtEnd((SocketChannel) key.channel()) && !waiting.isOver()) {
            left.add(waiting);
        }
    }

    /** Whether it still looks. */
    public synchronized boolean isOpen() {
        return !closed;
    }

    /** Looks no more. */
    @Override
    public synchronized void close() {
        closed = true;
        Selector watching = selector;
        selector = null;
        if (watching != null) {
            try {
                watching.close();
            } catch (IOException e) {
                log.debug("a selector could not be closed", e);
            }
        }
    }
}
