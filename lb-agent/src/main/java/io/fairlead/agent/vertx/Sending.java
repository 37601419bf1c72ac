package io.fairlead.agent.vertx;

import io.netty.buffer.ByteBuf;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a request that has a connection.
 *
 * <p>Safe for use from any thread.
 */
final class Sending {
    final Call call;
    /** The server's own authority where the request bears that, which the application does not see; null: it does not. */
    private final @Nullable String own;

    private boolean whole;
    private boolean inPieces;
    private @Nullable ByteBuf body;
    /** Sent in the place of this one, and held by its connection. Null: none. */
    private @Nullable WeakReference<HttpClientRequest> next;

    Sending(Call call) {
        this.call = call;
        own = call.exchange.ownHost();
    }

    /** Something is written: the head and what follows, or more of the body. */
    synchronized void write(@Nullable ByteBuf bytes, boolean end, boolean connect) {
        if (whole || inPieces || !end || connect) {
            inPieces = true;
            body = null;
        } else {
            whole = true;
            // The client's buffers are the collector's to free, so that this one can be read again.
            body = bytes == null ? null : bytes.duplicate();
        }
    }

    /** Whether it was written in one piece, and so can be written again. */
    synchronized boolean isRepeatable() {
        return whole && !inPieces;
    }

    /** The body that was written; null: none. */
    synchronized @Nullable Buffer body() {
        if (body == null) {
            return null;
        }
        byte[] bytes = new byte[body.readableBytes()];
        body.getBytes(body.readerIndex(), bytes);
        return Buffer.buffer(bytes);
    }

    synchronized void replacedBy(HttpClientRequest request) {
        next = new WeakReference<>(request);
    }

    /** What is sent in the place of this one; null: nothing. */
    synchronized @Nullable HttpClientRequest replacement() {
        return next == null ? null : next.get();
    }

    /** The request's URL as the application is to see it. */
    String seen(String url) {
        int begin = url.indexOf("://") + 3;
        if (own == null || !url.startsWith(own, begin)) {
            return url;
        }
        int port = call.logical.getPort();
        boolean usual = port == (url.startsWith("https:") ? 443 : 80);
        String authority = call.logical.getHost() + (usual ? "" : ":" + port);
        return url.substring(0, begin) + authority + url.substring(begin + own.length());
    }
}
