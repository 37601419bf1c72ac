package io.fairlead.okhttp;

import java.io.IOException;
import okhttp3.MediaType;
import okhttp3.RequestBody;
import okio.Buffer;
import okio.BufferedSink;
import okio.ByteString;
import okio.ForwardingSink;
import okio.Okio;
import org.jspecify.annotations.Nullable;

/** A body that has been written into memory, up to a limit. */
final class KeptBody {
    /** For copies that are to have no body although their method needs one. */
    static final RequestBody EMPTY = RequestBody.create(ByteString.EMPTY, null);

    /** There is none that could be sent again. */
    static final KeptBody NONE = new KeptBody(null, null);

    private final @Nullable ByteString bytes;
    private final @Nullable MediaType type;

    private KeptBody(@Nullable ByteString bytes, @Nullable MediaType type) {
        this.bytes = bytes;
        this.type = type;
    }

    /**
     * Writes a body into memory.
     *
     * @return {@link #NONE} when it can be written once only, or has more bytes than the limit
     * @throws IOException the body itself fails
     */
    static KeptBody of(RequestBody body, long limit) throws IOException {
        if (body.isOneShot() || body.isDuplex() || body.contentLength() > limit) {
            return NONE;
        }
        Buffer buffer = new Buffer();
        LimitedSink limited = new LimitedSink(buffer, limit);
        try {
            BufferedSink sink = Okio.buffer(limited);
            body.writeTo(sink);
            sink.flush();
        } catch (IOException | RuntimeException e) {
            if (limited.isFull) {
                return NONE;
            }
            throw e;
        }
        return new KeptBody(buffer.readByteString(), body.contentType());
    }

    /** The body for a copy; null when there is none, or it has more bytes than this. */
    @Nullable
    RequestBody upTo(long limit) {
        return bytes == null || bytes.size() > limit ? null : RequestBody.create(bytes, type);
    }

    private static final class LimitedSink extends ForwardingSink {
        private long left;
        boolean isFull;

        LimitedSink(Buffer buffer, long limit) {
            super(buffer);
            left = limit;
        }

        @Override
        public void write(Buffer source, long byteCount) throws IOException {
            left -= byteCount;
            if (left < 0) {
                isFull = true;
                throw new IOException("the body is longer than what is copied");
            }
            super.write(source, byteCount);
        }
    }
}
