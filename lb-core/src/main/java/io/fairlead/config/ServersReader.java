package io.fairlead.config;

import io.fairlead.Endpoint;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads a list of servers. */
final class ServersReader {
    private final List<Endpoint> servers = new ArrayList<>();
    private final Map<String, ConfigNode> byId = new HashMap<>();

    private ServersReader() {}

    /** The servers that could be read, in the order of the file. An empty list is a service that answers 503. */
    static List<Endpoint> read(ConfigNode list) {
        ServersReader reader = new ServersReader();
        if (list.require()) {
            list.items().forEach(reader::server);
        }
        return reader.servers;
    }

    private void server(ConfigNode node) {
        if (!node.require()) {
            return;
        }
        node.allow("url", "weight", "fenced", "backup", "zone", "priority", "id");
        if (!node.isMapping()) {
            return;
        }
        Endpoint.Builder builder = url(node.get("url"));
        int weight = node.get("weight").integer(Integer.MIN_VALUE, Endpoint.MAX_WEIGHT, 1);
        boolean fenced = node.get("fenced").bool(false);
        boolean backup = node.get("backup").bool(false);
        String zone = node.get("zone").string();
        int priority = node.get("priority").integer(0, Endpoint.MAX_PRIORITY, 0);
        String id = node.get("id").isMissing() ? null : node.get("id").requiredString();
        if (builder == null) {
            return;
        }
        Endpoint endpoint = builder.id(id)
                .weight(weight)
                .fenced(fenced)
                .backup(backup)
                .zone(zone)
                .priority(priority)
                .build();
        ConfigNode before = byId.putIfAbsent(endpoint.id(), node);
        if (before == null) {
            servers.add(endpoint);
        } else {
            node.get(id == null ? "url" : "id")
                    .problem("the server " + Quote.of(endpoint.id()) + " stands in this list twice, first in line "
                            + before.line());
        }
    }

    private static Endpoint.@Nullable Builder url(ConfigNode node) {
        String text = node.requiredString();
        Endpoint.@Nullable Builder[] builder = new Endpoint.@Nullable Builder[1];
        node.give(text, url -> builder[0] = Endpoint.builder(url));
        return builder[0];
    }
}
