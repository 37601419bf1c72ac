package io.fairlead.agent.ahc;

import io.fairlead.agent.route.Facts;
import java.util.Locale;
import org.asynchttpclient.Request;
import org.jspecify.annotations.Nullable;

/** What a request tells of itself; cookies of the client's store are among it. */
final class RequestMethodFacts extends Facts {
    private final Request request;

    RequestMethodFacts(Request request) {
        this.request = request;
    }

    @Override
    public String method() {
        return request.getMethod().toUpperCase(Locale.ROOT);
    }

    @Override
    public String path() {
        return request.getUri().getPath();
    }

    @Override
    public @Nullable String query() {
        return request.getUri().getQuery();
    }

    @Override
    public String host() {
        return request.getUri().getHost();
    }

    @Override
    public @Nullable String header(String name) {
        return request.getHeaders().get(name);
    }
}
