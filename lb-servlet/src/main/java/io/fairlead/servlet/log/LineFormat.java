package io.fairlead.servlet.log;

import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The combined format of the Apache server, and what this proxy knows behind it. Bytes that could forge a line or its
 * parts are written as {@code \xHH}.
 */
final class LineFormat implements LogFormat {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss Z", Locale.ROOT).withZone(ZoneId.systemDefault());

    private final boolean traefik;

    private LineFormat(boolean traefik) {
        this.traefik = traefik;
    }

    /** As Traefik has it behind: number of the request, router, server, milliseconds. */
    static LineFormat common() {
        return new LineFormat(true);
    }

    /** Behind: router, service, server, tries, milliseconds to connection, head and end, and how it ended. */
    static LineFormat combined() {
        return new LineFormat(false);
    }

    @Override
    public void append(StringBuilder line, AccessEntry entry, long count) {
        plain(line, entry.clientHost()).append(" - ");
        plain(line, entry.user()).append(" [");
        TIME.formatTo(entry.start(), line);
        line.append("] \"");
        escape(line, entry.method()).append(' ');
        escape(line, entry.target()).append(' ');
        escape(line, entry.protocol())
                .append("\" ")
                .append(entry.status())
                .append(' ')
                .append(entry.answerBytes());
        quoted(line, entry.fields().get("Referer"));
        quoted(line, entry.fields().get("User-Agent"));
        if (traefik) {
            line.append(' ').append(count);
            quoted(line, entry.router());
            quoted(line, entry.server());
            line.append(' ').append(entry.totalNanos() / 1_000_000).append("ms");
        } else {
            quoted(line, entry.router());
            quoted(line, entry.service());
            quoted(line, entry.server());
            line.append(' ').append(entry.tries());
            millis(line, entry.connectNanos());
            millis(line, entry.firstByteNanos());
            millis(line, entry.totalNanos());
            line.append(' ').append(entry.end().text());
        }
        line.append('\n');
    }

    private static void millis(StringBuilder line, long nanos) {
        line.append(' ');
        if (nanos < 0) {
            line.append('-');
            return;
        }
        long micros = nanos / 1000;
        line.append(micros / 1000).append('.');
        String rest = Long.toString(micros % 1000);
        line.append("000", 0, 3 - rest.length()).append(rest);
    }

    private static StringBuilder plain(StringBuilder line, @Nullable String text) {
        if (text == null || text.isEmpty()) {
            return line.append('-');
        }
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == ' ') {
                line.append("\\x20");
            } else {
                escape(line, c);
            }
        }
        return line;
    }

    private static void quoted(StringBuilder line, @Nullable String text) {
        line.append(" \"");
        if (text == null || text.isEmpty()) {
            line.append('-');
        } else {
            escape(line, text);
        }
        line.append('"');
    }

    private static StringBuilder escape(StringBuilder line, String text) {
        for (int i = 0; i < text.length(); i++) {
            escape(line, text.charAt(i));
        }
        return line;
    }

    private static void escape(StringBuilder line, char c) {
        if (c >= ' ' && c < 0x7F && c != '"' && c != '\\') {
            line.append(c);
        } else if (c < 0x100) {
            line.append("\\x").append(Character.forDigit(c >> 4, 16)).append(Character.forDigit(c & 15, 16));
        } else {
            line.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
        }
    }
}
