package io.fairlead.agent.jdkhttp;

import io.fairlead.agent.route.Facts;
import java.lang.ref.WeakReference;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/** What a request tells of itself; cookies of a {@code CookieHandler} join it later and are not seen. */
final class HttpRequestFacts extends Facts {
    private final Inside inside;
    /** Weak: what is known of a request must not keep it from being collected. */
    private final WeakReference<Object> request;

    private final URI uri;
    private final String method;

    HttpRequestFacts(Inside inside, Object request, URI uri) {
        this.inside = inside;
        this.request = new WeakReference<>(request);
        this.uri = uri;
        method = inside.method(request);
    }

    @Override
    public String method() {
        return method;
    }

    @Override
    public String path() {
        return uri.getRawPath();
    }

    @Override
    public @Nullable String query() {
        return uri.getRawQuery();
    }

    @Override
    public String host() {
        return uri.getHost();
    }

    @Override
    public @Nullable String header(String name) {
        Object alive = request.get();
        return alive == null ? null : inside.header(alive, name);
    }
}
