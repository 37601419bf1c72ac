package io.fairlead.servlet.tunnel;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.io.RetainableByteBuffer;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * One direction of a tunnel. Reads on only when what was read before has been written, so a peer that does not read
 * stops one that writes; holds a buffer only while there is something in it, and never a thread.
 */
final class Pump implements Callback {
    private static final int BUFFER_BYTES = 16 * 1024;
    /** So many reads in a row, then others of the same selector have their turn. */
    private static final int TURN = 16;

    private enum Write {
        BEGUN,
        UNDER_WAY,
        DONE,
        FAILED
    }

    private final TunnelEnd from;
    private final TunnelEnd to;
    private final ByteBufferPool buffers;
    private final Listener listener;
    private final AtomicReference<Write> write = new AtomicReference<>(Write.DONE);
    private @Nullable RetainableByteBuffer buffer;
    private int underWay;
    /** Written by one thread at a time, read by any. */
    private volatile long passedOn;

    /** Is told how the direction fares. */
    interface Listener {
        /** Something was read or written. */
        void moved();

        /** All has been passed on, and so has the end. */
        void ended(Pump pump);

        /**
         * The direction is broken.
         *
         * @param reading whether the end that it reads from is, else the one that it writes to
         */
        void failed(Pump pump, Throwable cause, boolean reading);
    }

    Pump(TunnelEnd from, TunnelEnd to, ByteBufferPool buffers, Listener listener) {
        this.from = from;
        this.to = to;
        this.buffers = buffers;
        this.listener = listener;
    }

    /** Goes on; called at the beginning, and then only by what was waited for. */
    void run() {
        for (int turn = 0; turn < TURN; turn++) {
            if (!step()) {
                return;
            }
        }
        from.whenReadable(readable());
    }

    /** Reads and writes once; false when something is waited for, or nothing more is to be done. */
    private boolean step() {
        RetainableByteBuffer into = buffers.acquire(BUFFER_BYTES, false);
        int read;
        try {
            read = from.read(into.getByteBuffer());
        } catch (IOException | RuntimeException e) {
            into.release();
            listener.failed(this, e, true);
            return false;
        }
        if (read > 0) {
            listener.moved();
            buffer = into;
            underWay = read;
            write.set(Write.BEGUN);
            to.write(into.getByteBuffer(), this);
            return !write.compareAndSet(Write.BEGUN, Write.UNDER_WAY) && write.get() == Write.DONE;
        }
        into.release();
        if (read == 0) {
            from.whenReadable(readable());
        } else {
            to.shutdownOutput();
            listener.ended(this);
        }
        return false;
    }

    private Callback readable() {
        return Callback.from(InvocationType.NON_BLOCKING, this::run, cause -> listener.failed(this, cause, true));
    }

    @Override
    public InvocationType getInvocationType() {
        return InvocationType.NON_BLOCKING;
    }

    /** What was read has been written. */
    @Override
    public void succeeded() {
        listener.moved();
        release();
        if (!write.compareAndSet(Write.BEGUN, Write.DONE)) {
            run();
        }
    }

    @Override
    public void failed(Throwable cause) {
        release();
        write.set(Write.FAILED);
        listener.failed(this, cause, false);
    }

    /** How many bytes have been passed on. */
    long passedOn() {
        return passedOn;
    }

    private void release() {
        RetainableByteBuffer written = buffer;
        buffer = null;
        if (written != null) {
            // Of a write that failed a part may have been taken.
            long all = passedOn + underWay - written.remaining();
            passedOn = all;
            written.release();
        }
    }
}
