package io.fairlead.servlet;

import io.fairlead.servlet.log.AccessEntry;
import io.fairlead.servlet.log.AccessEntry.End;
import io.fairlead.servlet.log.AccessLog;
import io.fairlead.servlet.log.AccessLogSpec;
import io.fairlead.servlet.tunnel.Tunnel;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * What is gathered of one request for the access log. The request itself is read at once, since the container takes it
 * back at its end; what comes later is told by whoever carries it at that time.
 */
final class AccessRecord {
    /** What nginx and Traefik write in their logs for a client that has gone without an answer. */
    static final int CLIENT_CLOSED_REQUEST = 499;

    private final AccessLog log;
    private final long begun = System.nanoTime();
    private final Instant start = Instant.now();
    private final String clientHost;
    private final @Nullable String user;
    private final String method;
    private final String host;
    private final String target;
    private final String protocol;
    private final String scheme;
    private final String router;
    private final String service;
    private final Map<String, String> fields;

    private final AtomicInteger tries = new AtomicInteger();
    private volatile @Nullable String server;
    private volatile long connectNanos = -1;
    private volatile long firstByteNanos = -1;
    private volatile int serverStatus;
    private volatile @Nullable End end;
    /** What was sent of the body of an answer of the proxy's own; -1: none was given. */
    private volatile int ownLength = -1;
    /** The client had gone before it was told anything, whatever was written then. */
    private volatile boolean leftUnanswered;

    private volatile @Nullable ResponsePump pump;
    /** What the client was told when HTTP ended: by the end of the tunnel the container has taken the response back. */
    private volatile int upgradedStatus;

    private volatile @Nullable Tunnel tunnel;

    private AccessRecord(
            AccessLog log,
            AccessLogSpec spec,
            HttpServletRequest request,
            ServletFacts facts,
            String router,
            String service) {
        this.log = log;
        clientHost = facts.remoteAddress();
        user = user(request);
        method = facts.method();
        host = ServletFacts.authority(request);
        String query = facts.query();
        String uri = request.getRequestURI();
        target = query == null ? uri : uri + "?" + query;
        protocol = request.getProtocol();
        scheme = request.getScheme();
        this.router = router;
        this.service = service;
        fields = fields(spec, request);
    }

    /** Begins a record; null where there is no log. */
    static @Nullable AccessRecord begin(
            AccessLog log, HttpServletRequest request, ServletFacts facts, String router, String service) {
        AccessLogSpec spec = log.spec();
        return spec == null ? null : new AccessRecord(log, spec, request, facts, router, service);
    }

    private static Map<String, String> fields(AccessLogSpec spec, HttpServletRequest request) {
        Map<String, String> fields = new LinkedHashMap<>();
        if (spec.wantsFields()) {
            Enumeration<String> names = request.getHeaderNames();
            while (names.hasMoreElements()) {
                add(spec, request, names.nextElement(), fields);
            }
        } else {
            add(spec, request, "Referer", fields);
            add(spec, request, "User-Agent", fields);
        }
        return fields;
    }

    private static void add(AccessLogSpec spec, HttpServletRequest request, String name, Map<String, String> to) {
        Enumeration<String> values = request.getHeaders(name);
        while (values != null && values.hasMoreElements()) {
            String shown = spec.shown(name, values.nextElement());
            if (shown != null) {
                to.merge(name, shown, (before, more) -> before + ", " + more);
            }
        }
    }

    /** The name alone of what basic authentication was given, be it right or not. */
    private static @Nullable String user(HttpServletRequest request) {
        String given = request.getHeader("Authorization");
        if (given == null || !given.regionMatches(true, 0, "Basic ", 0, 6)) {
            return null;
        }
        try {
            String pair =
                    new String(Base64.getDecoder().decode(given.substring(6).strip()), StandardCharsets.UTF_8);
            int colon = pair.indexOf(':');
            return colon <= 0 ? null : pair.substring(0, colon);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** One more server is tried. */
    void trying(String url) {
        tries.incrementAndGet();
        server = url;
    }

    /** The server that the answer came from, which may be that of a copy. */
    void answered(String url, int status) {
        server = url;
        serverStatus = status;
        firstByteNanos = System.nanoTime() - begun;
    }

    void connected() {
        connectNanos = System.nanoTime() - begun;
    }

    /** How it ends; the first word counts. */
    void ends(End how) {
        if (end == null) {
            end = how;
        }
    }

    /** So many bytes were sent as the body of an answer of the proxy's own. */
    void answeredByProxy(int length) {
        ownLength = length;
    }

    /** The client had gone before it was told anything, though an answer is going to be written. */
    void leftUnanswered() {
        leftUnanswered = true;
    }

    /** It is this that sends the body of the answer. */
    void answeredBy(ResponsePump carrying) {
        pump = carrying;
    }

    /** HTTP has ended with this status, and the request lives on. */
    void tunnelled(int status, Tunnel opened) {
        upgradedStatus = status;
        tunnel = opened;
    }

    /** Tells the log, by what there is of the exchange at its end; called once. */
    void close(HttpServletResponse response, @Nullable RequestBody read) {
        Tunnel joined = tunnel;
        if (joined != null) {
            close(upgradedStatus, joined.bytesToServer(), joined.bytesToClient());
            return;
        }
        int told = toldStatus(response);
        close(told == 0 ? CLIENT_CLOSED_REQUEST : told, read == null ? 0 : read.taken(), told == 0 ? 0 : sentBytes());
    }

    /** The status that the client was told; 0: it had gone before. */
    private int toldStatus(HttpServletResponse response) {
        try {
            boolean told = !leftUnanswered && (response.isCommitted() || !isClientGone());
            return told ? response.getStatus() : 0;
        } catch (RuntimeException e) {
            // The container has taken it away.
            return 0;
        }
    }

    private long sentBytes() {
        if (ownLength >= 0) {
            // Nothing of a server's was sent before it.
            return ownLength;
        }
        ResponsePump written = pump;
        return written == null ? 0 : written.written();
    }

    private boolean isClientGone() {
        return end == null || end == End.CLIENT_GONE;
    }

    /** Tells the log; called once. */
    void close(int status, long requestBytes, long answerBytes) {
        End how = end;
        log.add(new AccessEntry(
                start,
                clientHost,
                user,
                method,
                host,
                target,
                protocol,
                scheme,
                router,
                service,
                server,
                tries.get(),
                serverStatus,
                status,
                requestBytes,
                answerBytes,
                connectNanos,
                firstByteNanos,
                System.nanoTime() - begun,
                how == null ? End.CLIENT_GONE : how,
                fields));
    }
}
