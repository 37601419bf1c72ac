package io.fairlead.servlet;

import io.fairlead.servlet.routing.RouteFacts;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.Enumeration;
import org.jspecify.annotations.Nullable;

/**
 * What rules and hash keys ask of a servlet request, read off it when asked. It never asks for parameters, which would
 * eat the body of a form.
 */
final class ServletFacts implements RouteFacts {
    private final HttpServletRequest request;
    private final Trust trust;
    private final String path;
    private @Nullable String host;
    private @Nullable String remoteAddress;

    ServletFacts(HttpServletRequest request, Trust trust) {
        this.request = request;
        this.trust = trust;
        this.path = path(request);
    }

    /** The path within the web application, as the client wrote it. */
    private static String path(HttpServletRequest request) {
        String uri = request.getRequestURI();
        String context = request.getContextPath();
        if (context.isEmpty() || !uri.startsWith(context)) {
            return uri;
        }
        String path = uri.substring(context.length());
        return path.isEmpty() ? "/" : path;
    }

    @Override
    public String method() {
        return request.getMethod();
    }

    @Override
    public String path() {
        return path;
    }

    @Override
    public @Nullable String query() {
        return request.getQueryString();
    }

    @Override
    public String host() {
        if (host == null) {
            host = withoutPort(authority(request));
        }
        return host;
    }

    /** The authority that the client named: Host, or what HTTP/2 has in its place; empty where there is none. */
    static String authority(HttpServletRequest request) {
        String field = request.getHeader("Host");
        if (field != null) {
            return field;
        }
        if (!request.getProtocol().startsWith("HTTP/2")
                && !request.getProtocol().startsWith("HTTP/3")) {
            return "";
        }
        String name = request.getServerName();
        int port = request.getServerPort();
        boolean usual = port == ("https".equals(request.getScheme()) ? 443 : 80);
        return usual || port <= 0 ? name : name + ":" + port;
    }

    private static String withoutPort(String authority) {
        int end = authority.startsWith("[") ? authority.indexOf(']') + 1 : authority.indexOf(':');
        return end > 0 ? authority.substring(0, end) : authority;
    }

    @Override
    public @Nullable String header(String name) {
        return request.getHeader(name);
    }

    @Override
    public Enumeration<String> headers(String name) {
        Enumeration<String> values = request.getHeaders(name);
        return values == null ? Collections.emptyEnumeration() : values;
    }

    @Override
    public @Nullable String cookie(String name) {
        Cookie[] cookies = request.getCookies();
        if (cookies != null) {
            for (Cookie cookie : cookies) {
                if (cookie.getName().equals(name)) {
                    return cookie.getValue();
                }
            }
        }
        return null;
    }

    @Override
    public @Nullable String affinity(String name) {
        return cookie(name);
    }

    @Override
    public String remoteAddress() {
        if (remoteAddress == null) {
            remoteAddress = trust.client(request);
        }
        return remoteAddress;
    }
}
