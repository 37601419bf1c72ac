package io.fairlead.benchmarks.simulation;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A page that people write and whose tables are filled in: each stands between {@code <!-- figures: NAME -->} and
 * {@code <!-- end -->}.
 */
final class Page {
    private static final Pattern PLACE =
            Pattern.compile("(<!-- figures: (\\S+) -->\n).*?(<!-- end -->)", Pattern.DOTALL);

    private Page() {}

    /**
     * The page with these tables in their places.
     *
     * @throws IllegalArgumentException the page has a place for a table that there is not, or none for one that there is
     */
    static String filled(String page, Map<String, String> tables) {
        Set<String> left = new HashSet<>(tables.keySet());
        String filled = PLACE.matcher(page).replaceAll(place -> {
            String name = place.group(2);
            String table = tables.get(name);
            if (table == null) {
                throw new IllegalArgumentException("the page wants figures that there are not: " + name);
            }
            left.remove(name);
            return Matcher.quoteReplacement(place.group(1) + table + place.group(3));
        });
        if (!left.isEmpty()) {
            throw new IllegalArgumentException("the page has no place for: " + left);
        }
        return filled;
    }
}
