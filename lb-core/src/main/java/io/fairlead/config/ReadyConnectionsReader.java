package io.fairlead.config;

import io.fairlead.ReadyConnections;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Reads {@code readyConnections}. */
final class ReadyConnectionsReader {
    private ReadyConnectionsReader() {}

    static @Nullable ReadyConnections read(ConfigNode node) {
        if (node.isMissing()) {
            return null;
        }
        node.allow("path", "interval");
        ReadyConnections defaults = ReadyConnections.DEFAULT;
        String path = node.get("path").string();
        Duration interval = node.get("interval").duration(defaults.interval());
        path = path == null ? defaults.path() : path;
        try {
            return ReadyConnections.of(path, interval);
        } catch (IllegalArgumentException e) {
            node.problem(String.valueOf(e.getMessage()));
            return null;
        }
    }
}
