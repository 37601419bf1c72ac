package io.fairlead.agent.vertx;

import io.fairlead.Endpoint;
import io.fairlead.Outcome;
import io.fairlead.agent.bootstrap.Faults;
import io.fairlead.agent.route.Delays;
import io.fairlead.agent.route.WeakIdentityMap;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClosedException;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.RequestOptions;
import java.io.IOException;
import java.util.concurrent.TimeoutException;

/** Gets requests their connections, to one server after the other, and sends again what broke. */
final class Tries {
    private final Inside inside;
    private final WeakIdentityMap<Sending> byRequest;
    /** Connections that have carried a request. */
    private final WeakIdentityMap<Boolean> used = new WeakIdentityMap<>();

    Tries(Inside inside, WeakIdentityMap<Sending> byRequest) {
        this.inside = inside;
        this.byRequest = byRequest;
    }

    /** A request on a connection to the call's server, or to one that follows it. */
    Future<HttpClientRequest> obtain(Call call) {
        Endpoint server = call.exchange.endpoint();
        RequestOptions leading = new LeadingOptions(call.logical);
        inside.lead(leading, server);
        if (call.exchange.ownHost() != null) {
            leading.setHost(server.host()).setPort(server.port());
        }
        call.exchange.reusing();
        return call.client
                .request(leading)
                .compose(request -> obtained(call, request), failure -> refused(call, failure));
    }

    private Future<HttpClientRequest> obtained(Call call, HttpClientRequest request) {
        HttpConnection connection = request.connection();
        if (used.get(connection) == null) {
            used.put(connection, true);
            call.exchange.connecting();
        }
        while (used.pollCollected() != null) {
            // It is closed.
        }
        for (Sending lost = byRequest.pollCollected(); lost != null; lost = byRequest.pollCollected()) {
            // The application has let go of it, or its answer has come to its end.
            lost.call.exchange.dropped();
        }
        call.exchange.tellServer(request::putHeader);
        byRequest.put(request, new Sending(call));
        return Future.succeededFuture(request);
    }

    private Future<HttpClientRequest> refused(Call call, Throwable failure) {
        long delay = call.exchange.fail(refusal(failure), true);
        if (delay < 0) {
            return Future.failedFuture(failure);
        }
        Promise<HttpClientRequest> promise = Promise.promise();
        later(call, delay, failed -> promise.tryFail(failed), () -> {
            if (call.exchange.proceed() == null) {
                promise.tryFail(failure);
            } else {
                obtain(call).onComplete(result -> complete(promise, result));
            }
        });
        return promise.future();
    }

    private static void complete(Promise<HttpClientRequest> promise, AsyncResult<HttpClientRequest> result) {
        if (result.succeeded()) {
            promise.tryComplete(result.result());
        } else {
            promise.tryFail(result.cause());
        }
    }

    /** What it says of a server that a request got no connection. */
    private static Outcome refusal(Throwable failure) {
        if (failure instanceof TimeoutException) {
            // The application's own limit, in which connecting or a place in the pool took too long.
            return Outcome.timedOut(failure);
        }
        if (failure instanceof HttpClosedException) {
            return Outcome.stale();
        }
        return failure instanceof IOException ? Outcome.connectFailed(failure) : Outcome.cancelled();
    }

    /**
     * A request broke before an answer.
     *
     * @return whether it is sent again, and the application is not to be told
     */
    boolean isSentAgain(HttpClientRequest request, Sending sending, Throwable failure) {
        long delay = sending.call.exchange.fail(sending.call.exchange.failure(failure), sending.isRepeatable());
        if (delay < 0) {
            return false;
        }
        later(sending.call, delay, failed -> inside.fail(request, failed), () -> {
            if (sending.call.exchange.proceed() == null) {
                inside.fail(request, failure);
            } else {
                sendAgain(request, sending);
            }
        });
        return true;
    }

    private void sendAgain(HttpClientRequest request, Sending sending) {
        RequestOptions same = new LeadingOptions(sending.call.logical)
                .setMethod(request.getMethod())
                .setURI(request.getURI())
                .setHeaders(MultiMap.caseInsensitiveMultiMap().addAll(request.headers()))
                // The first one does that, with the answer that it is given.
                .setFollowRedirects(false);
        obtain(sending.call.with(same)).onComplete(result -> {
            if (result.failed()) {
                inside.fail(request, result.cause());
            } else {
                replace(request, sending, result.result());
            }
        });
    }

    private void replace(HttpClientRequest request, Sending sending, HttpClientRequest replacement) {
        sending.replacedBy(replacement);
        replacement.response().onComplete(answer -> {
            if (answer.succeeded()) {
                inside.respond(request, answer.result());
            } else {
                inside.fail(request, answer.cause());
            }
        });
        if (sending.call.exchange.hasEnded()) {
            inside.reset(replacement, new HttpClosedException("given up"));
            return;
        }
        if (request.isChunked()) {
            replacement.setChunked(true);
        }
        Buffer body = sending.body();
        Future<Void> written = body == null ? replacement.end() : replacement.end(body);
        written.onFailure(failure -> inside.fail(replacement, failure));
    }

    private static void later(Call call, long nanos, Telling failed, Runnable task) {
        Delays.run(
                nanos,
                () -> call.context.runOnContext(now -> {
                    try {
                        task.run();
                    } catch (RuntimeException e) {
                        Faults.report(e);
                        failed.tell(e);
                    }
                }));
    }

    private interface Telling {
        void tell(Throwable failure);
    }
}
