package io.fairlead.servlet.log;

import java.time.format.DateTimeFormatter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One JSON object a line; names, units and order as Traefik has them, with some of our own behind. */
final class JsonFormat implements LogFormat {
    /** All that can be written. */
    private static final List<String> NAMES = List.of(
            "StartUTC",
            "ClientHost",
            "ClientUsername",
            "RequestMethod",
            "RequestScheme",
            "RequestHost",
            "RequestPath",
            "RequestProtocol",
            "RequestContentSize",
            "RouterName",
            "ServiceName",
            "ServiceURL",
            "OriginStatus",
            "DownstreamStatus",
            "DownstreamContentSize",
            "RequestCount",
            "RetryAttempts",
            "Tries",
            "ConnectDuration",
            "OriginDuration",
            "Duration",
            "End");

    private final FieldModes names;

    static String[] names() {
        return NAMES.toArray(new String[0]);
    }

    JsonFormat(FieldModes names) {
        this.names = names;
    }

    @Override
    public void append(StringBuilder line, AccessEntry entry, long count) {
        line.append('{');
        text(line, "StartUTC", DateTimeFormatter.ISO_INSTANT.format(entry.start()));
        text(line, "ClientHost", entry.clientHost());
        text(line, "ClientUsername", entry.user());
        text(line, "RequestMethod", entry.method());
        text(line, "RequestScheme", entry.scheme());
        text(line, "RequestHost", entry.host());
        text(line, "RequestPath", entry.target());
        text(line, "RequestProtocol", entry.protocol());
        number(line, "RequestContentSize", entry.requestBytes());
        text(line, "RouterName", entry.router());
        text(line, "ServiceName", entry.service());
        text(line, "ServiceURL", entry.server());
        if (entry.serverStatus() > 0) {
            number(line, "OriginStatus", entry.serverStatus());
        }
        number(line, "DownstreamStatus", entry.status());
        number(line, "DownstreamContentSize", entry.answerBytes());
        number(line, "RequestCount", count);
        number(line, "RetryAttempts", Math.max(0, entry.tries() - 1));
        number(line, "Tries", entry.tries());
        if (entry.connectNanos() >= 0) {
            number(line, "ConnectDuration", entry.connectNanos());
        }
        if (entry.firstByteNanos() >= 0) {
            number(line, "OriginDuration", entry.firstByteNanos());
        }
        number(line, "Duration", entry.totalNanos());
        text(line, "End", entry.end().text());
        entry.fields().forEach((name, value) -> member(line, "request_" + name, value));
        line.append("}\n");
    }

    private void text(StringBuilder line, String name, @Nullable String value) {
        FieldMode mode = names.of(name);
        if (value == null || value.isEmpty() || mode == FieldMode.DROP) {
            return;
        }
        member(line, name, mode == FieldMode.REDACT ? FieldMode.REDACTED : value);
    }

    private void number(StringBuilder line, String name, long value) {
        FieldMode mode = names.of(name);
        if (mode == FieldMode.KEEP) {
            name(line, name).append(value);
        } else if (mode == FieldMode.REDACT) {
            member(line, name, FieldMode.REDACTED);
        }
    }

    private static void member(StringBuilder line, String name, String value) {
        quote(name(line, name), value);
    }

    private static StringBuilder name(StringBuilder line, String name) {
        if (line.charAt(line.length() - 1) != '{') {
            line.append(',');
        }
        return quote(line, name).append(':');
    }

    private static StringBuilder quote(StringBuilder line, String text) {
        line.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                line.append('\\').append(c);
            } else if (c < ' ' || c == 0x7F || (c >= 0x80 && c < 0xA0) || c == 0x2028 || c == 0x2029) {
                // What terminals and line readers take for more than a character.
                line.append("\\u00".substring(0, c < 0x100 ? 4 : 2));
                String hex = Integer.toHexString(c);
                line.append(hex.length() == 1 ? "0" : "").append(hex);
            } else if (Character.isSurrogate(c) && !isPaired(text, i)) {
                line.append('\uFFFD');
            } else {
                line.append(c);
            }
        }
        return line.append('"');
    }

    private static boolean isPaired(String text, int i) {
        return Character.isHighSurrogate(text.charAt(i))
                ? i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))
                : i > 0 && Character.isHighSurrogate(text.charAt(i - 1));
    }
}
