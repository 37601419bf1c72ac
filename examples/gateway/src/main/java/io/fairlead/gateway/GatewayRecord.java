package io.fairlead.gateway;

import io.fairlead.config.AddressRange;
import io.fairlead.servlet.log.AccessEntry;
import io.fairlead.servlet.log.AccessEntry.End;
import io.fairlead.servlet.log.AccessLog;
import io.fairlead.servlet.log.AccessLogSpec;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/**
 * What the access log is told of a request that no filter sees, once: of a CONNECT when it has been answered or its tunnel
 * has ended, with the host and port that it names as target, service and server; and of one that Jetty refuses before
 * anybody gets it, as far as it has been read.
 */
final class GatewayRecord {
    private final AccessLog log;
    private final long begun = System.nanoTime();
    private final Instant start = Instant.now();
    private final String clientHost;
    private final String method;
    private final String host;
    private final String target;
    private final String service;
    private final String protocol;
    private final String scheme;
    private final Map<String, String> fields;
    private final AtomicBoolean told = new AtomicBoolean();
    private volatile long connectNanos = -1;
    private final AtomicInteger tries = new AtomicInteger();

    private GatewayRecord(AccessLog log, AccessLogSpec spec, Request request) {
        this.log = log;
        clientHost = AddressRange.bare(String.valueOf(Request.getRemoteAddr(request)));
        method = request.getMethod();
        String authority = request.getHttpURI().getAuthority();
        String named = authority == null ? "" : authority;
        boolean connect = HttpMethod.CONNECT.is(method);
        // Of what has been refused the fields are gone, and the host that stands there is our own.
        host = connect ? named : "";
        target = connect ? named : request.getHttpURI().getPathQuery();
        service = connect ? named : "";
        protocol = request.getConnectionMetaData().getHttpVersion().asString();
        scheme = request.isSecure() ? "https" : "http";
        fields = fields(spec, request);
    }

    /** Begins a record; null where there is no log. */
    static @Nullable GatewayRecord begin(@Nullable AccessLog log, Request request) {
        AccessLogSpec spec = log == null ? null : log.spec();
        return log == null || spec == null ? null : new GatewayRecord(log, spec, request);
    }

    private static Map<String, String> fields(AccessLogSpec spec, Request request) {
        Map<String, String> fields = new LinkedHashMap<>();
        for (HttpField field : request.getHeaders()) {
            String name = field.getName();
            boolean usual = name.equalsIgnoreCase("Referer") || name.equalsIgnoreCase("User-Agent");
            String value = field.getValue();
            String shown = value == null || !(usual || spec.wantsFields())
                    ? null
                    : spec.shown(usual ? usual(name) : name, value);
            if (shown != null) {
                fields.merge(usual ? usual(name) : name, shown, (before, more) -> before + ", " + more);
            }
        }
        return fields;
    }

    /** As the formats look for them. */
    private static String usual(String name) {
        return name.equalsIgnoreCase("Referer") ? "Referer" : "User-Agent";
    }

    /** One more address of the host is tried. */
    void trying() {
        tries.incrementAndGet();
    }

    /** There is a connection to the host. */
    void connected() {
        connectNanos = System.nanoTime() - begun;
    }

    /** It has been refused, or has failed. */
    void refused(int status, long answerBytes) {
        tell(status, 0, answerBytes, End.OWN_ANSWER);
    }

    /** The tunnel has ended. */
    void ended(int status, long toServer, long toClient) {
        tell(status, toServer, toClient, End.TUNNEL);
    }

    private void tell(int status, long requestBytes, long answerBytes, End end) {
        if (!told.compareAndSet(false, true)) {
            return;
        }
        log.add(new AccessEntry(
                start,
                clientHost,
                null,
                method,
                host,
                target,
                protocol,
                scheme,
                "",
                service,
                tries.get() == 0 ? null : service,
                tries.get(),
                0,
                status,
                requestBytes,
                answerBytes,
                connectNanos,
                -1,
                System.nanoTime() - begun,
                end,
                fields));
    }
}
