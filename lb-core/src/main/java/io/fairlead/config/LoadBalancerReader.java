package io.fairlead.config;

import io.fairlead.ServiceSettings;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads one service of servers: its {@code loadBalancer}, and what may stand beside it. */
final class LoadBalancerReader {
    private static final String[] KEYS = {
        "servers",
        "healthCheck",
        "passiveHealthCheck",
        "circuitBreaker",
        "limits",
        "adaptiveLimit",
        "sticky",
        "slowStart",
        "passHostHeader",
        "serversTransport",
        "panicThreshold",
        "overprovisioningFactor",
        "zones",
        "retry",
        "hedge",
        "readyConnections",
        "rewrite"
    };

    private final ConfigNode service;
    private final ConfigNode node;
    private final Map<String, ServiceSettings> transports;

    private LoadBalancerReader(ConfigNode service, Map<String, ServiceSettings> transports) {
        this.service = service;
        this.node = service.get("loadBalancer");
        this.transports = transports;
    }

    /** The service; null, with a problem, when there is nothing to read. */
    static @Nullable ServiceSpec read(ConfigNode service, Map<String, ServiceSettings> transports) {
        LoadBalancerReader reader = new LoadBalancerReader(service, transports);
        return reader.node.require() ? reader.read() : null;
    }

    private ServiceSpec read() {
        node.allow(StrategyReader.withKeys(KEYS));
        LoadBalancerSpec.Builder spec = new LoadBalancerSpec.Builder(service.key());
        StrategyReader.read(node, spec);
        if (node.isMapping()) {
            spec.servers = ServersReader.read(node.get("servers"));
        }
        spec.healthCheck = HealthReader.active(either("healthCheck"));
        spec.passiveHealthCheck = HealthReader.passive(either("passiveHealthCheck"));
        spec.circuitBreaker = CircuitBreakerReader.read(node.get("circuitBreaker"));
        spec.limits = LimitsReader.limits(node.get("limits"));
        spec.adaptiveLimit = LimitsReader.adaptive(node.get("adaptiveLimit"));
        spec.sticky = StickyReader.read(either("sticky"));
        spec.levels = LevelsReader.read(node, either("slowStart"), spec);
        spec.settings = transport(node.get("serversTransport"))
                .withPassHostHeader(either("passHostHeader").bool(true))
                .withRetry(RetryReader.retry(either("retry")))
                .withHedge(RetryReader.hedge(either("hedge")))
                .withReadyConnections(ReadyConnectionsReader.read(node.get("readyConnections")))
                .withRewrite(RewriteReader.read(either("rewrite")));
        if (spec.healthCheck != null) {
            spec.healthCheck =
                    spec.healthCheck.withTls(spec.settings.transport().tls());
        }
        return spec.build();
    }

    /** The value of a key that stands in {@code loadBalancer} or beside it, but not in both places. */
    private ConfigNode either(String key) {
        ConfigNode beside = service.get(key);
        if (!service.has(key)) {
            return warnOfNothing(key, node.get(key));
        }
        if (node.has(key)) {
            beside.problem("stands in loadBalancer too; one of the two places only");
            return node.get(key);
        }
        return warnOfNothing(key, beside);
    }

    /** {@code healthCheck:} with nothing behind it may have been meant as a check with all defaults. */
    private ConfigNode warnOfNothing(String key, ConfigNode value) {
        if (value.isMissing() && (service.has(key) || node.has(key))) {
            value.notice("has no value and no effect" + (key.endsWith("Check") ? "; write {} for the defaults" : ""));
        }
        return value;
    }

    private ServiceSettings transport(ConfigNode name) {
        String text = name.string();
        if (text == null) {
            return ServiceSettings.DEFAULT;
        }
        ServiceSettings settings = transports.get(text.toLowerCase(Locale.ROOT));
        if (settings == null) {
            name.unknown("serversTransport", text, transports.keySet());
            return ServiceSettings.DEFAULT;
        }
        return settings;
    }
}
