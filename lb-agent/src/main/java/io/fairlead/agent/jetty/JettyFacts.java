package io.fairlead.agent.jetty;

import io.fairlead.agent.route.Facts;
import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/** What a request tells of itself; cookies of the client's store join it later. */
final class JettyFacts extends Facts {
    /** Weak: what is known of a request must not keep it from being collected. */
    private final WeakReference<Object> request;

    private final Inside inside;
    private final String method;
    private final String path;
    private final @Nullable String query;
    private final String host;

    JettyFacts(Inside inside, Object request, String host) {
        this.inside = inside;
        this.request = new WeakReference<>(request);
        this.host = host;
        method = inside.method(request);
        path = inside.path(request);
        query = inside.query(request);
    }

    @Override
    public String method() {
        return method;
    }

    @Override
    public String path() {
        return path;
    }

    @Override
    public @Nullable String query() {
        return query;
    }

    @Override
    public String host() {
        return host;
    }

    @Override
    public @Nullable String header(String name) {
        Object alive = request.get();
        return alive == null ? null : inside.header(alive, name);
    }

    @Override
    public @Nullable String cookie(String name) {
        String written = super.cookie(name);
        Object alive = request.get();
        return written != null || alive == null ? written : inside.cookie(alive, name);
    }
}
