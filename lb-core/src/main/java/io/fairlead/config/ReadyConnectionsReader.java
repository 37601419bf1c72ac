package io.fairlead.config;

import io.fairlead.ReadyConnections;
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
        ReadyConnections[] read = {defaults};
        ConfigNode path = node.get("path");
        ConfigNode interval = node.get("interval");
        path.give(path.string(), value -> read[0] = ReadyConnections.of(value, defaults.interval()));
        interval.give(interval.duration(), value -> read[0] = ReadyConnections.of(read[0].path(), value));
        return read[0];
    }
}
