package io.fairlead.okhttp;

import io.fairlead.Outcome;
import io.fairlead.Pick;
import java.io.IOException;
import okhttp3.MediaType;
import okhttp3.ResponseBody;
import okio.Buffer;
import okio.BufferedSource;
import okio.ForwardingSource;
import okio.Okio;
import okio.Source;
import org.jspecify.annotations.Nullable;

/** The body of an answer, whose end is the end of its pick. As every body it belongs to one thread at a time. */
final class PickedBody extends ResponseBody {
    private final ResponseBody body;
    private final Pick pick;
    private final Outcome answered;
    private final Cancellation cancellation;
    private final BufferedSource source;

    /**
     * Wraps a body.
     *
     * @param answered how the pick ends if the body is read to its end, or as far as its reader wants
     */
    PickedBody(ResponseBody body, Pick pick, Outcome answered, Cancellation cancellation) {
        this.body = body;
        this.pick = pick;
        this.answered = answered;
        this.cancellation = cancellation;
        source = Okio.buffer(new EndingSource(body.source(), body.contentLength()));
    }

    @Override
    public @Nullable MediaType contentType() {
        return body.contentType();
    }

    @Override
    public long contentLength() {
        return body.contentLength();
    }

    @Override
    public BufferedSource source() {
        return source;
    }

    private final class EndingSource extends ForwardingSource {
        /** Bytes to the end; below zero: not known. */
        private long left;

        EndingSource(Source source, long length) {
            super(source);
            left = length;
        }

        @Override
        public long read(Buffer sink, long byteCount) throws IOException {
            long count;
            try {
                count = super.read(sink, byteCount);
            } catch (IOException e) {
                pick.done(cancellation.happened() ? cancellation.outcome() : Failures.whileReading(e));
                throw e;
            }
            // A reader that knows the length never asks for the end.
            if (count == -1 || (left > 0 && (left -= count) == 0)) {
                pick.done(answered);
            }
            return count;
        }

        @Override
        public void close() throws IOException {
            pick.done(cancellation.happened() ? cancellation.outcome() : answered);
            super.close();
        }
    }
}
