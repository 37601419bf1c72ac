package io.fairlead.agent.urlconnection;

import io.fairlead.agent.route.Facts;
import java.lang.ref.WeakReference;
import java.net.HttpURLConnection;
import java.net.URL;
import org.jspecify.annotations.Nullable;

/**
 * What a call's connection object tells of its request. Cookies of a {@code CookieHandler} join the request after the
 * server has been picked, so they are not seen here; those that the application set itself are.
 */
final class ConnectionFacts extends Facts {
    private final URL url;
    /** Weak: what is known of a connection must not keep it from being collected. */
    private final WeakReference<HttpURLConnection> connection;

    ConnectionFacts(URL url, HttpURLConnection connection) {
        this.url = url;
        this.connection = new WeakReference<>(connection);
    }

    @Override
    public String method() {
        HttpURLConnection alive = connection.get();
        return alive == null ? "" : alive.getRequestMethod();
    }

    @Override
    public String path() {
        return url.getPath();
    }

    @Override
    public @Nullable String query() {
        return url.getQuery();
    }

    @Override
    public String host() {
        return url.getHost();
    }

    @Override
    public @Nullable String header(String name) {
        HttpURLConnection alive = connection.get();
        return alive == null ? null : alive.getRequestProperty(name);
    }
}
