package io.fairlead.servlet;

import io.fairlead.servlet.routing.PathForm;
import io.fairlead.servlet.routing.RouteFacts;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What rules and hash keys ask of a servlet request, read off it when asked. It never asks for parameters, which would
 * eat the body of a form.
 */
final class ServletFacts implements RouteFacts {
    private final HttpServletRequest request;
    private final Trust trust;
    private final int endOfContext;
    private final String path;
    private @Nullable String host;
    private @Nullable String remoteAddress;

    ServletFacts(HttpServletRequest request, Trust trust) {
        this.request = request;
        this.trust = trust;
        String uri = request.getRequestURI();
        this.endOfContext = endOfContext(uri, request.getContextPath());
        String within = endOfContext <= 0 ? uri : uri.substring(endOfContext);
        this.path = within.isEmpty() ? "/" : within;
    }

    /** Where the path within the web application begins in the client's; {@link PathForm#UNCLEAR} when that is not sure. */
    private static int endOfContext(String uri, String context) {
        int length = context.length();
        if (length == 0 || (uri.startsWith(context) && (uri.length() == length || uri.charAt(length) == '/'))) {
            return length;
        }
        // The client has escaped what need not be, or has added parameters or slashes.
        String normal = PathForm.normal(context);
        String prefix = normal.endsWith("/") ? normal.substring(0, normal.length() - 1) : normal;
        return PathForm.startsWith(PathForm.normal(uri), prefix) ? PathForm.cut(uri, prefix) : PathForm.UNCLEAR;
    }

    /** Whether it is sure where the path within the web application begins; a request without that must not be sent. */
    boolean isPathClear() {
        return endOfContext != PathForm.UNCLEAR;
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
    public String contextPath() {
        return endOfContext <= 0 ? "" : request.getRequestURI().substring(0, endOfContext);
    }

    @Override
    public String authority() {
        return authority(request);
    }

    @Override
    public String scheme() {
        return trust.scheme(request);
    }

    @Override
    public boolean isPeerTrusted() {
        return trust.believes(request);
    }

    @Override
    public List<String> forwardedFor() {
        return trust.chain(request);
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
        return cookie(name, 0);
    }

    private @Nullable String cookie(String name, int index) {
        Cookie[] cookies = request.getCookies();
        int before = 0;
        if (cookies != null) {
            for (Cookie cookie : cookies) {
                if (cookie.getName().equals(name) && before++ == index) {
                    return cookie.getValue();
                }
            }
        }
        return null;
    }

    @Override
    public @Nullable String affinity(String name) {
        return cookie(name, 0);
    }

    @Override
    public @Nullable String affinity(String name, int index) {
        return cookie(name, index);
    }

    @Override
    public String remoteAddress() {
        if (remoteAddress == null) {
            remoteAddress = trust.client(request);
        }
        return remoteAddress;
    }
}
