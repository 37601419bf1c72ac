package io.fairlead.config;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The files that a configuration names, certificates and keys: read with it, and watched with it.
 *
 * <p>Belongs to the reading of one file, and is not changed afterwards.
 */
final class NamedFiles {
    private static final int MAX_BYTES = 1024 * 1024;

    private final ConfigSource base;
    private final Map<String, byte[]> read = new LinkedHashMap<>();

    /** @param configuration where the names are relative to; null: the working directory */
    NamedFiles(@Nullable ConfigSource configuration) {
        base = configuration == null ? ConfigSource.of(new File("configuration").getAbsoluteFile()) : configuration;
    }

    /** The text of a file; null, with a problem at the node, when it cannot be read. */
    @Nullable
    String text(ConfigNode node, String name) {
        try {
            byte[] bytes = FileText.atMost(base.named(name), MAX_BYTES + 1);
            read.put(name, bytes);
            if (bytes.length > MAX_BYTES) {
                node.problem("the file " + Quote.of(name) + " is larger than 1 MiB");
                return null;
            }
            return new String(bytes, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            read.put(name, new byte[0]);
            node.problem(Quote.of(name) + ": " + FileText.reason(e));
            return null;
        }
    }

    /** What stood in all of them when they were read, as one. */
    byte[] known() {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        read.values().forEach(bytes -> put(all, bytes));
        return all.toByteArray();
    }

    /** What stands in them now; one that cannot be read is taken as empty. */
    byte[] now() {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (String name : read.keySet()) {
            byte[] bytes;
            try {
                bytes = FileText.atMost(base.named(name), MAX_BYTES + 1);
            } catch (IOException e) {
                bytes = new byte[0];
            }
            put(all, bytes);
        }
        return all.toByteArray();
    }

    private static void put(ByteArrayOutputStream all, byte[] bytes) {
        all.write(bytes, 0, bytes.length);
        // No PEM holds a zero.
        all.write(0);
    }
}
