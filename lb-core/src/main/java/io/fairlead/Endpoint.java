package io.fairlead;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One server of a service: a value. Two endpoints are equal when all their fields are; the same server across updates is
 * known by its {@link #id()}.
 *
 * <p>Immutable.
 */
public final class Endpoint {
    /** The greatest weight that is taken. */
    public static final int MAX_WEIGHT = 1_000_000;
    /** The last priority that is taken; 0 is the first. */
    public static final int MAX_PRIORITY = 9;

    private final String id;
    private final URI uri;
    private final String host;
    private final int port;
    private final String path;
    private final int weight;
    private final @Nullable String zone;
    private final int priority;
    private final boolean backup;
    private final boolean fenced;
    private final Map<String, String> metadata;

    private Endpoint(Builder builder) {
        uri = builder.uri;
        host = builder.host;
        port = builder.port;
        path = builder.path;
        id = builder.id != null ? builder.id : authority(host, port);
        weight = builder.weight;
        zone = builder.zone;
        priority = builder.priority;
        backup = builder.backup;
        fenced = builder.fenced;
        metadata = Collections.unmodifiableMap(new LinkedHashMap<>(builder.metadata));
    }

    /**
     * An endpoint of weight 1.
     *
     * @param url {@code http://host:port}, {@code https://host:port}, or {@code h2c://host:port} for a server that speaks
     *     HTTP/2 without TLS, with a base path if the server has one
     * @throws IllegalArgumentException the URL is not of that form; the message says why
     */
    public static Endpoint of(String url) {
        return builder(url).build();
    }

    /**
     * An endpoint with a weight.
     *
     * @param weight at most {@link #MAX_WEIGHT}; zero or less leaves the server out of the picking
     * @throws IllegalArgumentException the URL or the weight cannot be used; the message says why
     */
    public static Endpoint of(String url, int weight) {
        return builder(url).weight(weight).build();
    }

    /**
     * Begins an endpoint.
     *
     * @throws IllegalArgumentException the URL cannot be used; the message says why
     */
    public static Builder builder(String url) {
        return new Builder(url);
    }

    /** The identity of the server across updates: the host and port of its URL unless one was given. */
    public String id() {
        return id;
    }

    /** The URL, as it was given. */
    public URI uri() {
        return uri;
    }

    /** {@code http} or {@code https}; {@code http} also where the URL says {@code h2c}. */
    public String scheme() {
        return isSecure() ? "https" : "http";
    }

    /** Whether the server speaks TLS. */
    public boolean isSecure() {
        return "https".equalsIgnoreCase(uri.getScheme());
    }

    /** Whether the server speaks HTTP/2 without TLS, and is to be spoken to so from the first byte on. */
    public boolean isH2c() {
        return "h2c".equalsIgnoreCase(uri.getScheme());
    }

    /** The host in lower case, an IPv6 address without brackets. */
    public String host() {
        return host;
    }

    /** The port, 80 or 443 where the URL names none. */
    public int port() {
        return port;
    }

    /** The base path as it was written, without the slash at its end: empty where there is none. */
    public String path() {
        return path;
    }

    /** {@code host:port}, the host in brackets where it is an IPv6 address; without the port where it is the scheme's. */
    public String authority() {
        return port == (isSecure() ? 443 : 80) ? bracketed(host) : authority(host, port);
    }

    /** The share of requests in relation to the others; zero or less: none at all. */
    public int weight() {
        return weight;
    }

    /** The zone, or null. */
    public @Nullable String zone() {
        return zone;
    }

    /**
     * The level that the server belongs to, 0, the first and the default, to {@link #MAX_PRIORITY}: a level gets what
     * the levels before it cannot carry.
     */
    public int priority() {
        return priority;
    }

    /** Whether the server is used only while no other can be. */
    public boolean backup() {
        return backup;
    }

    /** Whether the server is draining: no new requests, running ones end. */
    public boolean fenced() {
        return fenced;
    }

    /** What else is known of the server; empty where nothing is. */
    public Map<String, String> metadata() {
        return metadata;
    }

    @Override
    public boolean equals(Object other) {
        if (this == other) {
            return true;
        }
        if (!(other instanceof Endpoint)) {
            return false;
        }
        Endpoint that = (Endpoint) other;
        return id.equals(that.id)
                && uri.equals(that.uri)
                && weight == that.weight
                && Objects.equals(zone, that.zone)
                && priority == that.priority
                && backup == that.backup
                && fenced == that.fenced
                && metadata.equals(that.metadata);
    }

    @Override
    public int hashCode() {
        return Objects.hash(id, uri, weight, zone, priority, backup, fenced, metadata);
    }

    @Override
    public String toString() {
        return id + " (" + uri + ", weight " + weight + (zone == null ? "" : ", zone " + zone)
                + (priority == 0 ? "" : ", priority " + priority)
                + (backup ? ", backup" : "") + (fenced ? ", fenced" : "") + ")";
    }

    private static String authority(String host, int port) {
        return bracketed(host) + ":" + port;
    }

    private static String bracketed(String host) {
        return host.indexOf(':') >= 0 ? "[" + host + "]" : host;
    }

    /** Builds an endpoint; not safe for use from several threads. */
    public static final class Builder {
        private final URI uri;
        private final String host;
        private final int port;
        private final String path;
        private @Nullable String id;
        private int weight = 1;
        private @Nullable String zone;
        private int priority;
        private boolean backup;
        private boolean fenced;
        private final Map<String, String> metadata = new LinkedHashMap<>();

        private Builder(String url) {
            uri = parse(url);
            String scheme = uri.getScheme();
            if (scheme == null || !scheme.matches("(?i)https?|h2c")) {
                throw new IllegalArgumentException("'" + url + "' is not an http://, https:// or h2c:// URL");
            }
            if (uri.getRawAuthority() == null) {
                throw new IllegalArgumentException("'" + url + "' names no host");
            }
            if (uri.getRawFragment() != null) {
                throw new IllegalArgumentException("'" + url + "' has a fragment");
            }
            if (uri.getRawAuthority().indexOf('@') >= 0) {
                throw new IllegalArgumentException("'" + url + "' has user information, which is not sent to servers");
            }
            HostAndPort parts = HostAndPort.parse(uri.getRawAuthority());
            host = parts.host.toLowerCase(Locale.ROOT);
            port = parts.port >= 0 ? parts.port : scheme.equalsIgnoreCase("https") ? 443 : 80;
            String raw = uri.getRawPath() == null ? "" : uri.getRawPath();
            path = raw.endsWith("/") ? raw.substring(0, raw.length() - 1) : raw;
        }

        private static URI parse(String url) {
            try {
                return new URI(url);
            } catch (URISyntaxException e) {
                throw new IllegalArgumentException("'" + url + "' is not a URL: " + e.getReason(), e);
            }
        }

        /** The identity; null takes the host and port of the URL. */
        public Builder id(@Nullable String id) {
            if (id != null && id.isEmpty()) {
                throw new IllegalArgumentException("an endpoint's id is empty");
            }
            this.id = id;
            return this;
        }

        /**
         * The weight, 1 where none is given.
         *
         * @throws IllegalArgumentException it is above {@link #MAX_WEIGHT}
         */
        public Builder weight(int weight) {
            if (weight > MAX_WEIGHT) {
                throw new IllegalArgumentException("weight " + weight + " is above " + MAX_WEIGHT);
            }
            this.weight = weight;
            return this;
        }

        /** The zone; null: none. */
        public Builder zone(@Nullable String zone) {
            this.zone = zone;
            return this;
        }

        /**
         * The level, 0 where none is given.
         *
         * @throws IllegalArgumentException it is not from 0 to {@link #MAX_PRIORITY}
         */
        public Builder priority(int priority) {
            if (priority < 0 || priority > MAX_PRIORITY) {
                throw new IllegalArgumentException("priority " + priority + " is not from 0 to " + MAX_PRIORITY);
            }
            this.priority = priority;
            return this;
        }

        /** Whether the server is used only while no other can be. */
        public Builder backup(boolean backup) {
            this.backup = backup;
            return this;
        }

        /** Whether the server is draining. */
        public Builder fenced(boolean fenced) {
            this.fenced = fenced;
            return this;
        }

        /** Adds something that is known of the server. */
        public Builder metadata(String key, String value) {
            metadata.put(key, value);
            return this;
        }

        /** The endpoint. */
        public Endpoint build() {
            return new Endpoint(this);
        }
    }
}
