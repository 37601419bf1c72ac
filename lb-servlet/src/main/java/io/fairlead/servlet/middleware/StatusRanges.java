package io.fairlead.servlet.middleware;

import io.fairlead.config.ConfigNode;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Statuses of answers: single ones and ranges, both ends among them. Not changed once it has been read. */
final class StatusRanges {
    /** The least status of an answer that ends a request. */
    static final int FINAL = 200;

    private static final int MAX = 599;

    private final int min;
    private final BitSet statuses = new BitSet(MAX + 1);

    /** @param min the least status that may stand there */
    StatusRanges(int min) {
        this.min = min;
    }

    /**
     * Reads a list of {@code "500"}, {@code "505-599"} and {@code "404,418"}.
     *
     * @param min the least status that may stand there
     */
    static StatusRanges read(List<ConfigNode> list, int min) {
        StatusRanges ranges = new StatusRanges(min);
        for (ConfigNode item : list) {
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
                return neither(range);
            }
            int from = Integer.parseInt(range.substring(0, 3));
            int to = range.length() == 3 ? from : Integer.parseInt(range.substring(4));
            if (from < min) {
                return neither(range);
            }
            if (from > to) {
                return "the range '" + range + "' ends before it begins";
            }
            statuses.set(from, to + 1);
        }
        return null;
    }

    private String neither(String text) {
        return "'" + text + "' is neither a status from " + min + " to " + MAX + " nor a range of such, as 500-599";
    }

    boolean contains(int status) {
        return statuses.get(status);
    }

    /** Whether a status is in both. */
    boolean meets(StatusRanges other) {
        return statuses.intersects(other.statuses);
    }

    boolean isEmpty() {
        return statuses.isEmpty();
    }

    /** All of them. */
    Set<Integer> all() {
        Set<Integer> all = new TreeSet<>();
        statuses.stream().forEach(all::add);
        return all;
    }
}
