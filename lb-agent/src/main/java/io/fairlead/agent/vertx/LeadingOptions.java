package io.fairlead.agent.vertx;

import io.vertx.core.http.RequestOptions;

/** Options of a request that has its server: the client's work with them is left alone. */
final class LeadingOptions extends RequestOptions {
    LeadingOptions(RequestOptions logical) {
        super(logical);
    }
}
