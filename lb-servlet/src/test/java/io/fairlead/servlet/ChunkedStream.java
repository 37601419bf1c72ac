package io.fairlead.servlet;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/** The content of a chunked body, read no further than it is asked for. */
final class ChunkedStream extends InputStream {
    private final InputStream in;
    private int left;
    private boolean begun;
    private boolean ended;

    ChunkedStream(InputStream in) {
        this.in = in;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] to, int from, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (left == 0 && !ended) {
            next();
        }
        if (ended) {
            return -1;
        }
        int count = in.read(to, from, Math.min(length, left));
        if (count < 0) {
            throw new EOFException("the chunk broke off");
        }
        left -= count;
        return count;
    }

    private void next() throws IOException {
        if (begun) {
            RawMessage.line(in);
        }
        begun = true;
        String size = RawMessage.line(in);
        if (size == null) {
            throw new EOFException("the chunked body broke off");
        }
        left = Integer.parseInt(size.strip(), 16);
        ended = left == 0;
    }

    @Override
    public int available() {
        // Nothing is read ahead: a member of gzip may be followed by another, and that would be waited for.
        return 0;
    }
}
