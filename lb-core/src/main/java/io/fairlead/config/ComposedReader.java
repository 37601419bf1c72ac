package io.fairlead.config;

import io.fairlead.Endpoint;
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
        List<WeightedSpec.Part> parts = new ArrayList<>();
        ConfigNode services = node.get("services");
        boolean broken = false;
        if (services.require()) {
            Set<String> seen = new HashSet<>();
            for (ConfigNode item : services.items()) {
                item.allow("name", "weight");
                String part = reference(item, "name");
                int weight = item.get("weight").integer(Integer.MIN_VALUE, Endpoint.MAX_WEIGHT, 1);
                if (part == null) {
                    broken = true;
                } else if (seen.add(part.toLowerCase(Locale.ROOT))) {
                    parts.add(new WeightedSpec.Part(part, weight));
                } else {
                    item.get("name").problem("the service " + Quote.of(part) + " stands in this list twice");
                }
            }
            if (!broken && parts.isEmpty() && services.isList()) {
                services.problem("names no service");
            }
        }
        return new WeightedSpec(name, parts, StickyReader.read(node.get("sticky")));
    }

    private @Nullable ServiceSpec mirroring(ConfigNode node) {
        node.allow("service", "mirrors");
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
        if (!mirrors.isEmpty()) {
            list.notice(Notices.NO_EFFECT);
        }
        return service == null ? null : new MirroringSpec(name, service, mirrors);
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
