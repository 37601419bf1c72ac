package io.fairlead.agent.apache4;

import io.fairlead.agent.route.Facts;
import java.lang.ref.WeakReference;
import java.util.Locale;
import org.apache.http.Header;
import org.apache.http.HttpRequest;
import org.jspecify.annotations.Nullable;

/** What a request tells of itself, cookies of the client's store among it. */
final class RequestLineFacts extends Facts {
    /** Weak: what is known of a request must not keep it from being collected. */
    private final WeakReference<HttpRequest> request;

    private final String method;
    private final String target;
    private final String host;

    RequestLineFacts(HttpRequest request, String host) {
        this.request = new WeakReference<>(request);
        method = request.getRequestLine().getMethod().toUpperCase(Locale.ROOT);
        target = request.getRequestLine().getUri();
        this.host = host;
    }

    @Override
    public String method() {
        return method;
    }

    @Override
    public String path() {
        return pathOf(target);
    }

    @Override
    public @Nullable String query() {
        return queryOf(target);
    }

    @Override
    public String host() {
        return host;
    }

    @Override
    public @Nullable String header(String name) {
        HttpRequest alive = request.get();
        Header header = alive == null ? null : alive.getFirstHeader(name);
        return header == null ? null : header.getValue();
    }
}
