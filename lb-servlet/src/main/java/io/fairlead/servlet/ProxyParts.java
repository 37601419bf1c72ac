package io.fairlead.servlet;

import io.fairlead.LoadBalancer;
import io.fairlead.servlet.log.AccessLog;
import io.fairlead.servlet.tunnel.Takeover;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * What all exchanges of one filter share.
 *
 * @param upstreams the clients
 * @param trust whose X-Forwarded-For is believed
 * @param services every service of the configuration by its name in lower case, for answers from another one than the
 *     router's
 * @param breaker how this container's responses are broken off
 * @param takeover how this container's connections are taken over
 * @param accessLog where each request is told of
 * @param stopping whether the filter is being destroyed
 */
record ProxyParts(
        Upstreams upstreams,
        Trust trust,
        Map<String, LoadBalancer> services,
        ResponseBreaker breaker,
        Takeover takeover,
        AccessLog accessLog,
        BooleanSupplier stopping) {
    /** Whether the filter is being destroyed: no server is asked for anything any more. */
    boolean isStopping() {
        return stopping.getAsBoolean();
    }

    /** The same with other clients. */
    ProxyParts with(Upstreams others) {
        return new ProxyParts(others, trust, services, breaker, takeover, accessLog, stopping);
    }
}
