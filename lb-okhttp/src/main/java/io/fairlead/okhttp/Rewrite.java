package io.fairlead.okhttp;

import io.fairlead.Endpoint;
import java.net.UnknownHostException;
import okhttp3.HttpUrl;
import okhttp3.Request;
import okhttp3.Response;

/**
 * A logical request and what is sent in its place: the way there, and the way back for whatever OkHttp hands out.
 */
final class Rewrite {
    private final Request logical;
    private final Request sent;
    private final String basePath;
    private final boolean hostAdded;

    private Rewrite(Request logical, Request sent, String basePath, boolean hostAdded) {
        this.logical = logical;
        this.sent = sent;
        this.basePath = basePath;
        this.hostAdded = hostAdded;
    }

    /** The server's scheme and base path at a host and port; {@code Host} is the logical one. */
    static Rewrite keepingHost(Request logical, Endpoint endpoint, String host, int port) throws UnknownHostException {
        HttpUrl url = logical.url();
        if (url.port() == port
                && url.host().equals(host)
                && url.scheme().equals(endpoint.scheme())
                && endpoint.path().isEmpty()) {
            return new Rewrite(logical, logical, "", false);
        }
        HttpUrl physical = physical(url, endpoint, host, port);
        String authority = authority(url);
        // A field of its own would stick to redirects: only where it is needed.
        boolean addHost = logical.header("Host") == null && !authority.equals(authority(physical));
        Request.Builder builder = logical.newBuilder().url(physical);
        if (addHost) {
            builder.header("Host", authority);
        }
        return new Rewrite(logical, builder.build(), endpoint.path(), addHost);
    }

    /** The server's own URL; {@code Host} is its own as well. */
    static Rewrite toOwnHost(Request logical, Endpoint endpoint) throws UnknownHostException {
        HttpUrl physical = physical(logical.url(), endpoint, endpoint.host(), endpoint.port());
        Request sent = logical.newBuilder().url(physical).removeHeader("Host").build();
        return new Rewrite(logical, sent, endpoint.path(), false);
    }

    private static HttpUrl physical(HttpUrl url, Endpoint endpoint, String host, int port) throws UnknownHostException {
        try {
            HttpUrl.Builder builder =
                    url.newBuilder().scheme(endpoint.scheme()).host(host).port(port);
            if (!endpoint.path().isEmpty()) {
                builder.encodedPath(endpoint.path() + url.encodedPath());
            }
            return builder.build();
        } catch (IllegalArgumentException e) {
            throw new UnknownHostException("OkHttp cannot address " + endpoint.uri() + ": " + e.getMessage());
        }
    }

    /** What is sent. */
    Request sent() {
        return sent;
    }

    /** The answer to the logical request. */
    Response restore(Response response) {
        if (sent == logical) {
            return response;
        }
        Response prior = response.priorResponse();
        return response.newBuilder()
                .request(restore(response.request()))
                .priorResponse(prior == null ? null : restore(prior))
                .build();
    }

    /** The logical form of what was sent, or of a request that OkHttp made of it after a redirect or a challenge. */
    Request restore(Request request) {
        if (request == sent || sent == logical) {
            return sent == logical ? request : logical;
        }
        HttpUrl url = logical(request.url());
        Request.Builder builder = request.newBuilder().url(url);
        if (hostAdded) {
            builder.removeHeader("Host");
        }
        if (sameOrigin(url, logical.url())) {
            putBack(builder, request, "Host");
            // OkHttp drops it where a redirect leaves the URL that was sent, though not the logical one.
            putBack(builder, request, "Authorization");
        }
        return builder.build();
    }

    private void putBack(Request.Builder builder, Request request, String name) {
        String value = logical.header(name);
        if (value != null && request.header(name) == null) {
            builder.header(name, value);
        }
    }

    private HttpUrl logical(HttpUrl url) {
        if (!sameOrigin(url, sent.url())) {
            return url;
        }
        HttpUrl.Builder builder = url.newBuilder()
                .scheme(logical.url().scheme())
                .host(logical.url().host())
                .port(logical.url().port());
        String path = url.encodedPath();
        if (!basePath.isEmpty() && (path.equals(basePath) || path.startsWith(basePath + "/"))) {
            String rest = path.substring(basePath.length());
            builder.encodedPath(rest.isEmpty() ? "/" : rest);
        }
        return builder.build();
    }

    private static boolean sameOrigin(HttpUrl a, HttpUrl b) {
        return a.port() == b.port() && a.host().equals(b.host()) && a.scheme().equals(b.scheme());
    }

    private static String authority(HttpUrl url) {
        String host = url.host().indexOf(':') >= 0 ? "[" + url.host() + "]" : url.host();
        return url.port() == HttpUrl.defaultPort(url.scheme()) ? host : host + ":" + url.port();
    }
}
