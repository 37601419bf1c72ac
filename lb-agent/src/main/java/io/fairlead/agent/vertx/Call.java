package io.fairlead.agent.vertx;

import io.fairlead.agent.route.Exchange;
import io.vertx.core.Context;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.RequestOptions;

/**
 * A request before it has a connection.
 *
 * <p>Immutable, but for its exchange.
 */
final class Call {
    final HttpClient client;
    /** With the logical host and port. */
    final RequestOptions logical;

    final Exchange exchange;

    /** That of the application, in which all is done for a request: in another one an answer's body could be missed. */
    final Context context;

    Call(HttpClient client, Context context, RequestOptions logical, Exchange exchange) {
        this.client = client;
        this.context = context;
        this.logical = logical;
        this.exchange = exchange;
    }

    /** The same request with what the application has made of it. */
    Call with(RequestOptions options) {
        return new Call(client, context, options, exchange);
    }
}
