package io.fairlead.agent.okhttp;

import io.fairlead.agent.route.Exchange;
import java.io.IOException;
import okhttp3.MediaType;
import okhttp3.ResponseBody;
import okio.Buffer;
import okio.BufferedSource;
import okio.ForwardingSource;
import okio.Okio;
import org.jspecify.annotations.Nullable;

/** A body whose end is the exchange's. */
final class WatchedBody extends ResponseBody {
    private final ResponseBody body;
    private final BufferedSource source;

    WatchedBody(ResponseBody body, Exchange exchange) {
        this.body = body;
        source = Okio.buffer(new ForwardingSource(body.source()) {
            @Override
            public long read(Buffer sink, long byteCount) throws IOException {
                try {
                    long read = super.read(sink, byteCount);
                    if (read < 0) {
                        exchange.bodyEnded();
                    }
                    return read;
                } catch (IOException e) {
                    exchange.failed(e);
                    throw e;
                }
            }

            @Override
            public void close() throws IOException {
                exchange.bodyEnded();
                super.close();
            }
        });
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
}
