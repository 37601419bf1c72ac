package io.fairlead.servlet.log;

import io.fairlead.config.ConfigNode;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * {@code http.accessLog}, by Traefik's keys.
 *
 * @param file where it is written; null: to standard output
 * @param format how
 * @param buffer so many entries may wait to be written; those beyond are lost, and counted
 * @param filters which requests are told of
 * @param names which of the log's own fields are written, where the format is JSON
 * @param headers which of the request's fields are
 */
public record AccessLogSpec(
        @Nullable Path file, Format format, int buffer, LogFilters filters, FieldModes names, FieldModes headers) {
    /** What would let who reads the log speak for the client. Written only where the configuration names them. */
    private static final Set<String> SECRETS = Set.of(
            "authorization",
            "proxy-authorization",
            "cookie",
            "set-cookie",
            "x-api-key",
            "x-auth-token",
            "x-csrf-token");

    private static final Set<String> OF_LINES = Set.of("referer", "user-agent");
    private static final int BUFFER = 8192;
    private static final int LEAST_BUFFER = 1024;
    private static final int MOST_BUFFER = 1_000_000;

    /** The formats. */
    enum Format {
        COMMON,
        COMBINED,
        JSON
    }

    /** Reads the configuration; null where there is none, and so no log. What is wrong joins the file's problems. */
    public static @Nullable AccessLogSpec read(ConfigNode node) {
        if (node.isMissing()) {
            return null;
        }
        node.allow("filePath", "format", "bufferingSize", "filters", "fields");
        ConfigNode fields = node.get("fields");
        fields.allow("defaultMode", "names", "headers");
        fields.get("names").allow(JsonFormat.names());
        fields.get("headers").allow("defaultMode", "names");
        return new AccessLogSpec(
                file(node.get("filePath")),
                format(node.get("format")),
                Math.max(LEAST_BUFFER, node.get("bufferingSize").integer(0, MOST_BUFFER, BUFFER)),
                LogFilters.read(node.get("filters")),
                FieldModes.read(fields, FieldMode.KEEP),
                FieldModes.read(fields.get("headers"), FieldMode.DROP));
    }

    private static @Nullable Path file(ConfigNode node) {
        String text = node.string();
        if (text == null || text.isEmpty()) {
            return null;
        }
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            node.problem("is not a path: " + e.getReason());
            return null;
        }
    }

    private static Format format(ConfigNode node) {
        String text = node.string("common");
        for (Format format : Format.values()) {
            if (format.name().equalsIgnoreCase(text)) {
                return format;
            }
        }
        node.problem("must be common, combined or json, not '" + text + "'");
        return Format.COMMON;
    }

    /**
     * What is written of a field of the request: its value, or that there was one; null: nothing of it.
     *
     * @param name the field's name
     */
    public @Nullable String shown(String name, String value) {
        return switch (mode(name.toLowerCase(Locale.ROOT))) {
            case KEEP -> value;
            case REDACT -> FieldMode.REDACTED;
            case DROP -> null;
        };
    }

    private FieldMode mode(String name) {
        FieldMode own = headers.byName().get(name);
        if (own != null) {
            return own;
        }
        if (SECRETS.contains(name)) {
            return FieldMode.DROP;
        }
        return format != Format.JSON && OF_LINES.contains(name) ? FieldMode.KEEP : headers.defaultMode();
    }

    /** Whether fields of the request beyond the referer and the user agent may be wanted. */
    public boolean wantsFields() {
        return format == Format.JSON
                && (headers.defaultMode() != FieldMode.DROP || !headers.byName().isEmpty());
    }

    LogFormat lines() {
        return switch (format) {
            case COMMON -> LineFormat.common();
            case COMBINED -> LineFormat.combined();
            case JSON -> new JsonFormat(names);
        };
    }
}
