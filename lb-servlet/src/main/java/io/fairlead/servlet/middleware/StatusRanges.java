package io.fairlead.servlet.middleware;

import io.fairlead.config.ConfigNode;
import java.util.BitSet;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Statuses of answers: single ones and ranges, both ends among them. Not changed once it has been read. */
final class StatusRanges {
    private static final int MIN = 100;
    private static final int MAX = 599;

    private final BitSet statuses = new BitSet(MAX + 1);

    /** Reads a list of {@code "500"}, {@code "505-599"} and {@code "404,418"}. */
    static StatusRanges read(ConfigNode list) {
        StatusRanges ranges = new StatusRanges();
        for (ConfigNode item : list.items()) {
            String text = item.requiredString();
            String wrong = text == null ? null : ranges.add(text);
            if (wrong != null) {
                item.problem(wrong);
            }
        }
        return ranges;
    }

    /** Adds what the text says; what is wrong with it, or null. */
    @Nullable
    String add(String text) {
        for (String part : text.split(",", -1)) {
            String range = part.strip();
            if (!range.matches("[1-5][0-9]{2}(-[1-5][0-9]{2})?")) {
                return "'" + range + "' is neither a status from " + MIN + " to " + MAX
                        + " nor a range such as 500-599";
            }
            int from = Integer.parseInt(range.substring(0, 3));
            int to = range.length() == 3 ? from : Integer.parseInt(range.substring(4));
            if (from > to) {
                return "the range '" + range + "' ends before it begins";
            }
            statuses.set(from, to + 1);
        }
        return null;
    }

    boolean contains(int status) {
        return statuses.get(status);
    }

    boolean isEmpty() {
        return statuses.isEmpty();
    }

    /** Those that can be tried again. */
    Set<Integer> failures() {
        Set<Integer> all = new TreeSet<>();
        statuses.stream().filter(status -> status >= 400).forEach(all::add);
        return all;
    }
}
