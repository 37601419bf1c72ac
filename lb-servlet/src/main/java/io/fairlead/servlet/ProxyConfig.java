package io.fairlead.servlet;

import io.fairlead.config.ConfigFile;
import io.fairlead.servlet.forward.ForwardRules;
import io.fairlead.servlet.log.AccessLogSpec;
import io.fairlead.servlet.routing.RoutingTable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a configuration file that mean the proxy: {@code http.routers}, {@code http.middlewares}, {@code
 * http.forwardedHeaders}, {@code http.forwardProxy} and {@code http.accessLog}. The services are read by {@link
 * ConfigFile} itself.
 *
 * <p>Immutable; safe for use from any thread.
 */
public final class ProxyConfig {
    private final RoutingTable routes;
    private final Trust trust;
    private final @Nullable AccessLogSpec accessLog;

    private final @Nullable ForwardRules forward;

    private ProxyConfig(
            RoutingTable routes, Trust trust, @Nullable AccessLogSpec accessLog, @Nullable ForwardRules forward) {
        this.routes = routes;
        this.trust = trust;
        this.accessLog = accessLog;
        this.forward = forward;
    }

    /**
     * Checks routers, middlewares and trusted addresses. What is wrong joins {@link ConfigFile#problems()}, with line
     * and key path, beside what is wrong with the services; so a program that checks a file reads it, calls this, and
     * reports {@code file.problems().list()}. Checking a file twice adds nothing.
     */
    public static void check(ConfigFile file) {
        read(file, null);
    }

    /**
     * Reads the file; what is wrong joins its problems, and is left out of the result.
     *
     * @param before the state before, whose middlewares keep what they have learnt; null: none
     */
    static ProxyConfig read(ConfigFile file, @Nullable ProxyConfig before) {
        return new ProxyConfig(
                RoutingTable.read(file, before == null ? null : before.routes),
                new Trust(file.forwardedHeaders()),
                AccessLogSpec.read(file.http().get("accessLog")),
                ForwardRules.read(file));
    }

    /** Without a file: everything goes to the service, if there is exactly one. */
    static ProxyConfig of(List<String> services) {
        return new ProxyConfig(
                services.size() == 1 ? RoutingTable.everythingTo(services.get(0)) : RoutingTable.empty(),
                Trust.NOBODY,
                null,
                null);
    }

    RoutingTable routes() {
        return routes;
    }

    Trust trust() {
        return trust;
    }

    /** Null: there is no access log. */
    @Nullable
    AccessLogSpec accessLog() {
        return accessLog;
    }

    /** Which hosts are forwarded to; null: none. */
    @Nullable
    ForwardRules forward() {
        return forward;
    }
}
