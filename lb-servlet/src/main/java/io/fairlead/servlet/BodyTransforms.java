package io.fairlead.servlet;

import io.fairlead.servlet.middleware.BodyTransform;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Several changes of a body, of which each takes what the one before makes. */
final class BodyTransforms implements BodyTransform {
    private static final Logger log = LoggerFactory.getLogger(ProxyFilter.class);

    private final List<BodyTransform> all;

    BodyTransforms(List<BodyTransform> all) {
        this.all = all;
    }

    @Override
    public void transform(ByteBuffer bytes, boolean last, Sink out) throws IOException {
        push(0, bytes, last, out);
    }

    private void push(int to, ByteBuffer bytes, boolean last, Sink out) throws IOException {
        if (to == all.size()) {
            if (bytes.hasRemaining()) {
                out.accept(bytes);
            }
            return;
        }
        all.get(to).transform(bytes, last, rest(to, out));
        if (last) {
            push(to + 1, ByteBuffer.allocate(0), true, out);
        }
    }

    private Sink rest(int to, Sink out) {
        return piece -> {
            if (piece.hasRemaining()) {
                push(to + 1, piece, false, out);
            }
        };
    }

    @Override
    public void flush(Sink out) throws IOException {
        for (int i = 0; i < all.size(); i++) {
            all.get(i).flush(rest(i, out));
        }
    }

    /** Closes all of them; one that cannot be closed keeps neither the others nor the answer from their end. */
    @Override
    public void close() {
        for (BodyTransform each : all) {
            try {
                each.close();
            } catch (RuntimeException | Error e) {
                log.warn("a change of a body could not be closed", e);
            }
        }
    }
}
