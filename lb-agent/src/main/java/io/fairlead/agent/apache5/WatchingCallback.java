package io.fairlead.agent.apache5;

import io.fairlead.Outcome;
import io.fairlead.agent.apache5.Apache5AsyncAdapter.AsyncTry;
import io.fairlead.agent.route.Delays;
import io.fairlead.agent.route.Exchange;
import java.io.IOException;
import org.apache.hc.client5.http.async.AsyncExecCallback;
import org.apache.hc.client5.http.async.AsyncExecChain;
import org.apache.hc.client5.http.async.AsyncExecChainHandler;
import org.apache.hc.core5.http.EntityDetails;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.http.nio.AsyncDataConsumer;
import org.apache.hc.core5.http.nio.AsyncEntityProducer;
import org.jspecify.annotations.Nullable;

/** Stands between the client and what it tells of a request; after a failure it sends the request to another server. */
final class WatchingCallback implements AsyncExecCallback {
    /** Older versions do not have it: the connection was about to end, and took no request any more. */
    private static final String NOT_SENT = "org.apache.hc.core5.http.RequestNotExecutedException";

    private final AsyncExecChainHandler handler;
    private final HttpRequest request;
    private final @Nullable AsyncEntityProducer body;
    private final AsyncExecChain.Scope scope;
    private final AsyncExecChain chain;
    private final AsyncExecCallback callback;
    private final AsyncTry state;
    private final boolean saysLength;

    WatchingCallback(
            AsyncExecChainHandler handler,
            HttpRequest request,
            @Nullable AsyncEntityProducer body,
            AsyncExecChain.Scope scope,
            AsyncExecChain chain,
            AsyncExecCallback callback,
            AsyncTry state) {
        this.handler = handler;
        this.request = request;
        this.body = body;
        this.scope = scope;
        this.chain = chain;
        this.callback = callback;
        this.state = state;
        saysLength = Requests.saysLength(request);
    }

    @Override
    public AsyncDataConsumer handleResponse(HttpResponse response, @Nullable EntityDetails details)
            throws HttpException, IOException {
        state.exchange.responded(response.getCode());
        if (details == null) {
            state.exchange.bodyEnded();
        }
        return callback.handleResponse(response, details);
    }

    @Override
    public void handleInformationResponse(HttpResponse response) throws HttpException, IOException {
        callback.handleInformationResponse(response);
    }

    @Override
    public void completed() {
        // It may lead back to what the state is known by.
        state.sent = null;
        state.exchange.bodyEnded();
        callback.completed();
    }

    @Override
    public void failed(Exception cause) {
        state.sent = null;
        Exchange exchange = state.exchange;
        if (scope.cancellableDependency.isCancelled() || !state.acquired || !(cause instanceof IOException)) {
            exchange.dropped();
        } else if (exchange.hasResponse()) {
            exchange.failed(cause);
        } else {
            Outcome outcome = NOT_SENT.equals(cause.getClass().getName()) ? Outcome.stale() : exchange.failure(cause);
            boolean available = outcome.kind().nothingSent() || body == null || body.isRepeatable();
            long delay = exchange.fail(outcome, available);
            if (delay >= 0) {
                Delays.run(delay, () -> goOn(cause));
                return;
            }
        }
        callback.failed(cause);
    }

    private void goOn(Exception cause) {
        if (state.exchange.proceed() == null) {
            callback.failed(cause);
            return;
        }
        try {
            if (body != null) {
                body.releaseResources();
            }
            if (!saysLength) {
                Requests.forgetLength(request);
            }
            String own = state.exchange.ownHost();
            if (own != null) {
                request.setHeader("Host", own);
            }
            state.exchange.tellServer(request::setHeader);
            scope.execRuntime.discardEndpoint();
            state.acquired = false;
            handler.execute(request, body, scope, chain, this);
        } catch (HttpException | IOException e) {
            failed(e);
        }
    }
}
