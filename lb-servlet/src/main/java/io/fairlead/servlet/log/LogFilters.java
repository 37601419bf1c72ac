package io.fairlead.servlet.log;

import io.fairlead.config.ConfigNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which requests are told of: all, or those that one of the filters lets through.
 *
 * @param statuses those with such a status; empty: no such filter
 * @param retried those that were tried more than once
 * @param minDuration those that took so long; null: no such filter
 */
record LogFilters(
        List<Range> statuses, boolean retried, @Nullable Duration minDuration) {
    LogFilters {
        statuses = List.copyOf(statuses);
    }

    /**
     * A range of statuses.
     *
     * @param from the first
     * @param to the last
     */
    record Range(int from, int to) {}

    static LogFilters read(ConfigNode node) {
        node.allow("statusCodes", "retryAttempts", "minDuration");
        List<Range> statuses = new ArrayList<>();
        for (ConfigNode item : node.get("statusCodes").items()) {
            String text = item.requiredString();
            if (text == null) {
                continue;
            }
            if (text.matches("[1-5][0-9]{2}(-[1-5][0-9]{2})?")
                    && text.substring(0, 3).compareTo(text.substring(text.length() - 3)) <= 0) {
                statuses.add(new Range(
                        Integer.parseInt(text.substring(0, 3)), Integer.parseInt(text.substring(text.length() - 3))));
            } else {
                item.problem("must be a status or a range of them, as 200 or 500-599, not '" + text + "'");
            }
        }
        Duration minDuration = node.get("minDuration").duration(Duration.ZERO);
        return new LogFilters(
                statuses, node.get("retryAttempts").bool(false), minDuration.isZero() ? null : minDuration);
    }

    boolean lets(AccessEntry entry) {
        if (statuses.isEmpty() && !retried && minDuration == null) {
            return true;
        }
        for (Range range : statuses) {
            if (entry.status() >= range.from() && entry.status() <= range.to()) {
                return true;
            }
        }
        return (retried && entry.tries() > 1) || (minDuration != null && entry.totalNanos() >= minDuration.toNanos());
    }
}
