package io.fairlead.servlet.middleware;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/** Unpacks gzip members (RFC 1952), as they come. */
final class GzipDecoder implements BodyTransform {
    private static final int PIECE_BYTES = 8 * 1024;
    private static final int HAS_CRC = 2;
    private static final int HAS_EXTRA = 4;
    private static final int HAS_NAME = 8;
    private static final int HAS_COMMENT = 16;

    private enum State {
        /** Before a member. */
        START,
        HEAD,
        EXTRA_LENGTH,
        EXTRA,
        NAME,
        COMMENT,
        HEAD_CRC,
        BODY,
        TRAILER
    }

    private final CRC32 checksum = new CRC32();
    // Made when it is needed, since it holds memory outside of the heap.
    private @Nullable Inflater inflater;
    private State state = State.START;
    private boolean any;
    private int flags;
    /** Bytes read of the present part of the head or the trailer, and what they say. */
    private int read;

    private long value;

    @Override
    public void transform(ByteBuffer bytes, boolean last, Sink out) throws IOException {
        while (bytes.hasRemaining()) {
            if (state == State.BODY) {
                inflate(bytes, out);
            } else {
                step(bytes.get() & 0xFF);
            }
        }
        if (last) {
            close();
            // A body of no bytes at all is what some servers send for an empty one.
            if (state != State.START && any) {
                throw new EOFException("the gzip content ends too early");
            }
        }
    }

    private void step(int octet) throws IOException {
        any = true;
        switch (state) {
            case START, HEAD -> {
                state = State.HEAD;
                boolean good = switch (read) {
                    case 0 -> octet == 0x1f;
                    case 1 -> octet == 0x8b;
                    case 2 -> octet == 8;
                    default -> true;
                };
                if (!good) {
                    throw new IOException("the content is not gzip");
                }
                if (read == 3) {
                    flags = octet;
                }
                if (++read == 10) {
                    next(State.EXTRA_LENGTH);
                }
            }
            case EXTRA_LENGTH -> {
                value |= (long) octet << (8 * read);
                if (++read == 2) {
                    long length = value;
                    next(length == 0 ? State.NAME : State.EXTRA);
                    value = length;
                }
            }
            case EXTRA -> {
                if (++read == value) {
                    next(State.NAME);
                }
            }
            case NAME -> {
                if (octet == 0) {
                    next(State.COMMENT);
                }
            }
            case COMMENT -> {
                if (octet == 0) {
                    next(State.HEAD_CRC);
                }
            }
            case HEAD_CRC -> {
                if (++read == 2) {
                    next(State.BODY);
                }
            }
            case TRAILER -> {
                value |= (long) octet << (8 * read);
                if (++read == 8) {
                    long length = inflater == null ? 0 : inflater.getBytesWritten() & 0xFFFF_FFFFL;
                    if ((value & 0xFFFF_FFFFL) != checksum.getValue() || value >>> 32 != length) {
                        throw new IOException("the checksum of the gzip content is wrong");
                    }
                    next(State.START);
                }
            }
            default -> throw new IllegalStateException(state.toString());
        }
    }

    /** Goes to this part, or the first one after it that the member has. */
    private void next(State wanted) {
        read = 0;
        value = 0;
        State next = wanted;
        if (next == State.EXTRA_LENGTH && (flags & HAS_EXTRA) == 0) {
            next = State.NAME;
        }
        if (next == State.NAME && (flags & HAS_NAME) == 0) {
            next = State.COMMENT;
        }
        if (next == State.COMMENT && (flags & HAS_COMMENT) == 0) {
            next = State.HEAD_CRC;
        }
        if (next == State.HEAD_CRC && (flags & HAS_CRC) == 0) {
            next = State.BODY;
        }
        if (next == State.BODY) {
            checksum.reset();
            if (inflater == null) {
                inflater = new Inflater(true);
            } else {
                inflater.reset();
            }
        }
        state = next;
    }

    private void inflate(ByteBuffer bytes, Sink out) throws IOException {
        Inflater unpacking = inflater;
        if (unpacking == null) {
            throw new IllegalStateException("no member has begun");
        }
        unpacking.setInput(bytes);
        try {
            while (true) {
                ByteBuffer piece = ByteBuffer.allocate(PIECE_BYTES);
                int made = unpacking.inflate(piece);
                if (made > 0) {
                    checksum.update(piece.flip().duplicate());
                    out.accept(piece);
                }
                if (unpacking.finished()) {
                    next(State.TRAILER);
                    return;
                }
                if (unpacking.needsDictionary()) {
                    throw new IOException("the gzip content is broken");
                }
                if (made < PIECE_BYTES) {
                    return;
                }
            }
        } catch (DataFormatException e) {
            throw new IOException("the gzip content is broken", e);
        }
    }

    @Override
    public void close() {
        Inflater unpacking = inflater;
        if (unpacking != null) {
            unpacking.end();
            inflater = null;
        }
    }
}
