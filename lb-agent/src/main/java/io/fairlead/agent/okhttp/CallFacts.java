package io.fairlead.agent.okhttp;

import io.fairlead.agent.route.Facts;
import okhttp3.Request;
import org.jspecify.annotations.Nullable;

/** What a request tells of itself, with what interceptors have added; those of the cookie jar join it later. */
final class CallFacts extends Facts {
    private final Request request;

    CallFacts(Request request) {
        this.request = request;
    }

    @Override
    public String method() {
        return request.method();
    }

    @Override
    public String path() {
        return request.url().encodedPath();
    }

    @Override
    public @Nullable String query() {
        return request.url().encodedQuery();
    }

    @Override
    public String host() {
        return request.url().host();
    }

    @Override
    public @Nullable String header(String name) {
        return request.header(name);
    }
}
