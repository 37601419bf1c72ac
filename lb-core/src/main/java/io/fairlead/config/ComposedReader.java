package io.fairlead.config;

import io.fairlead.Endpoint;
import io.fairlead.compose.MirrorOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads one service that is made of others. */
final class ComposedReader {
    private final String name;
    private final References references;

    ComposedReader(String name, References references) {
        this.name = name;
        this.references = references;
    }

    /** The service; null, with a problem, when it cannot be told what it is made of. */
    @Nullable
    ServiceSpec read(String kind, ConfigNode node) {
        switch (kind) {
            case "failover":
                return failover(node);
            case "weighted":
                return weighted(node);
            default:
                return mirroring(node);
        }
    }

    private @Nullable ServiceSpec failover(ConfigNode node) {
        node.allow("service", "fallback");
        String service = reference(node, "service");
        String fallback = reference(node, "fallback");
        return service == null || fallback == null ? null : new FailoverSpec(name, service, fallback);
    }

    private ServiceSpec weighted(ConfigNode node) {
        node.allow("services", "sticky");
        ConfigNode services = node.get("services");
        List<WeightedSpec.Part> parts = new ArrayList<>();
        if (services.require() && services.isList()) {
            parts = weightedParts(services);
        } else {
            services.items();
        }
        return new WeightedSpec(name, parts, StickyReader.read(node.get("sticky")));
    }

    private List<WeightedSpec.Part> weightedParts(ConfigNode services) {
        List<WeightedSpec.Part> parts = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        List<ConfigNode> items = services.items();
        for (ConfigNode item : items) {
            item.allow("name", "weight");
            String part = reference(item, "name");
            int weight = item.get("weight").integer(Integer.MIN_VALUE, Endpoint.MAX_WEIGHT, 1);
            if (part == null) {
                continue;
            }
            parts.add(new WeightedSpec.Part(part, weight));
            if (!seen.add(part.toLowerCase(Locale.ROOT))) {
                item.get("name").problem("the service " + Quote.of(part) + " stands in this list twice");
            }
        }
        if (items.isEmpty()) {
            services.problem("names no service");
        } else if (parts.size() == items.size() && parts.stream().noneMatch(part -> part.weight() > 0)) {
            services.problem("no service has a weight above 0");
        }
        return parts;
    }

    private @Nullable ServiceSpec mirroring(ConfigNode node) {
        node.allow("service", "mirrors", "mirrorBody", "maxBodySize", "maxInFlight", "timeout");
        String service = reference(node, "service");
        List<MirroringSpec.Mirror> mirrors = new ArrayList<>();
        ConfigNode list = node.get("mirrors");
        for (ConfigNode item : list.items()) {
            item.allow("name", "percent");
            String mirror = reference(item, "name");
            int percent = item.get("percent").integer(0, 100, 0);
            if (mirror != null) {
                mirrors.add(new MirroringSpec.Mirror(mirror, percent));
            }
        }
        MirrorOptions options = options(node);
        return service == null ? null : new MirroringSpec(name, service, mirrors, options);
    }

    private static MirrorOptions options(ConfigNode node) {
        MirrorOptions defaults = MirrorOptions.DEFAULT;
        Duration timeout = node.get("timeout").duration(defaults.timeout());
        if (timeout.toMillis() < 1) {
            node.get("timeout").problem("must be at least 1ms");
            timeout = defaults.timeout();
        }
        return defaults.withMirrorBody(node.get("mirrorBody").bool(defaults.mirrorBody()))
                .withMaxBodySize(node.get("maxBodySize").integer(-1, Integer.MAX_VALUE, defaults.maxBodySize()))
                .withMaxInFlight(node.get("maxInFlight").integer(1, Integer.MAX_VALUE, defaults.maxInFlight()))
                .withTimeout(timeout);
    }

    private @Nullable String reference(ConfigNode node, String key) {
        ConfigNode at = node.get(key);
        String part = node.isMapping() ? at.requiredString() : null;
        if (part != null) {
            references.add(name, part, at);
        }
        return part;
    }
}
