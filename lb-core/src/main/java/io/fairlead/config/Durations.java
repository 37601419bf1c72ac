package io.fairlead.config;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Durations as the file writes them: {@code 250ms}, {@code 1m30s}, or a bare number of seconds. */
final class Durations {
    /** Beyond any use, and far from where nanoseconds in a long overflow. */
    private static final Duration MAX = Duration.ofDays(365);

    private static final int MAX_LENGTH = 64;
    private static final String NUMBER = "[0-9]+(?:\\.[0-9]+)?";
    private static final Pattern SECONDS = Pattern.compile(NUMBER);
    private static final Pattern PART = Pattern.compile("(" + NUMBER + ")(ns|us|µs|ms|s|m|h)");
    private static final Pattern PARTS = Pattern.compile("(?:" + NUMBER + "(?:ns|us|µs|ms|s|m|h))+");

    private Durations() {}

    /** The duration, from zero to a year; null when the text is none. */
    static @Nullable Duration parse(String text) {
        if (text.length() > MAX_LENGTH) {
            return null;
        }
        BigDecimal nanos = BigDecimal.ZERO;
        if (SECONDS.matcher(text).matches()) {
            nanos = nanos("s", text);
        } else if (PARTS.matcher(text).matches()) {
            Matcher part = PART.matcher(text);
            while (part.find()) {
                nanos = nanos.add(nanos(part.group(2), part.group(1)));
            }
        } else {
            return null;
        }
        return nanos.compareTo(BigDecimal.valueOf(MAX.toNanos())) > 0 ? null : Duration.ofNanos(nanos.longValue());
    }

    private static BigDecimal nanos(String unit, String number) {
        return new BigDecimal(number).multiply(BigDecimal.valueOf(nanosOf(unit)));
    }

    private static long nanosOf(String unit) {
        switch (unit) {
            case "ns":
                return 1;
            case "us":
            case "µs":
                return 1_000;
            case "ms":
                return 1_000_000;
            case "s":
                return 1_000_000_000L;
            case "m":
                return 60_000_000_000L;
            default:
                return 3_600_000_000_000L;
        }
    }
}
