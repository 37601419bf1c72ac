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
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/**
 * What the access log is told of one CONNECT, which no filter sees: once, when it has been answered or its tunnel has
 * ended. Target, service and server are the host and port that it names.
 */
final class ConnectRecord {
    private final AccessLog log;
    private final long begun = System.nanoTime();
    private final Instant start = Instant.now();
    private final String clientHost;
    private final String target;
    private final String protocol;
    private final String scheme;
    private final Map<String, String> fields;
    private final AtomicBoolean told = new AtomicBoolean();
    private volatile long connectNanos = -1;
    private final AtomicInteger tries = new AtomicInteger();

    private ConnectRecord(AccessLog log, AccessLogSpec spec, Request request) {
        this.log = log;
        clientHost = AddressRange.bare(String.valueOf(Request.getRemoteAddr(request)));
        String authority = request.getHttpURI().getAuthority();
        target = authority == null ? "" : authority;
        protocol = request.getConnectionMetaData().getHttpVersion().asString();
        scheme = request.isSecure() ? "https" : "http";
        fields = fields(spec, request);
    }

    /** Begins a record; null where there is no log. */
    static @Nullable ConnectRecord begin(@Nullable AccessLog log, Request request) {
        AccessLogSpec spec = log == null ? null : log.spec();
        return log == null || spec == null ? null : new ConnectRecord(log, spec, request);
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
                "CONNECT",
                target,
                target,
                protocol,
                scheme,
                "",
                target,
                tries.get() == 0 ? null : target,
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
