package io.fairlead.retry;

import java.time.DateTimeException;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code Retry-After} (RFC 9110, section 10.2.3). A date is compared with the {@code Date} of the same answer, so
 * that it does not matter whether the server's clock and ours agree.
 */
final class RetryAfter {
    private static final int MOST_DIGITS = 9;

    private RetryAfter() {}

    /**
     * The wait in nanoseconds; 0 where there is none, or none that can be understood.
     *
     * @param value the field, null where it is missing
     * @param date the answer's {@code Date}, null where it is missing
     */
    static long nanos(@Nullable String value, @Nullable String date) {
        if (value == null) {
            return 0;
        }
        String text = value.trim();
        if (isNumber(text)) {
            return TimeUnit.SECONDS.toNanos(text.length() > MOST_DIGITS ? 999_999_999L : Long.parseLong(text));
        }
        ZonedDateTime then = date(text);
        ZonedDateTime now = date == null ? null : date(date.trim());
        if (then == null || now == null) {
            return 0;
        }
        long seconds = ChronoUnit.SECONDS.between(now, then);
        return TimeUnit.SECONDS.toNanos(Math.max(0, Math.min(999_999_999L, seconds)));
    }

    private static boolean isNumber(String text) {
        if (text.isEmpty()) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return true;
    }

    private static @Nullable ZonedDateTime date(String text) {
        try {
            return ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME);
        } catch (DateTimeException e) {
            // The two obsolete forms are not worth a wait.
            return null;
        }
    }
}
