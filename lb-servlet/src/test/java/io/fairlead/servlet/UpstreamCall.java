package io.fairlead.servlet;

import io.fairlead.Endpoint;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.jetty.client.Connection;
import org.eclipse.jetty.client.Response;
import org.eclipse.jetty.client.Result;
import org.eclipse.jetty.io.Content;
import org.jspecify.annotations.Nullable;

/** A request of the proxy's client without an exchange: its answer is taken whole, and its bytes are counted. */
class UpstreamCall implements UpstreamRequest.Owner, Response.ContentSourceListener, Response.CompleteListener {
    private final CompletableFuture<Long> length = new CompletableFuture<>();
    private final UpstreamRequest request;
    private final AtomicBoolean begun = new AtomicBoolean();
    private final AtomicLong count = new AtomicLong();

    /** A GET of / with this query. */
    UpstreamCall(Upstream upstream, String url, String query) {
        request = new UpstreamRequest(upstream.client(), this, Endpoint.of(url), "GET", "/", query);
    }

    UpstreamRequest request() {
        return request;
    }

    /** Sends it. */
    UpstreamCall start() {
        request.send(this);
        return this;
    }

    /** Completes with the length of the answer's body, or with what the request failed with. */
    CompletableFuture<Long> length() {
        return length;
    }

    boolean hasBegun() {
        return begun.get();
    }

    @Override
    public void begun(@Nullable Connection assigned) {
        begun.set(true);
    }

    @Override
    public void sent() {}

    @Override
    public void onContentSource(Response response, Content.Source source) {
        Content.Chunk chunk;
        while ((chunk = source.read()) != null) {
            count.addAndGet(chunk.remaining());
            chunk.release();
            if (chunk.isLast()) {
                return;
            }
        }
        source.demand(() -> onContentSource(response, source));
    }

    @Override
    public void onComplete(Result result) {
        Throwable failure = result.getFailure();
        if (failure == null) {
            length.complete(count.get());
        } else {
            length.completeExceptionally(failure);
        }
    }
}
