package io.fairlead.strategy;

import java.util.Collection;

/** Finds the known name that a misspelt one was meant to be. */
final class Nearest {
    private Nearest() {}

    /** The name with the fewest edits to this one, the first of equals; there is at least one. */
    static String to(String name, Collection<String> known) {
        String nearest = "";
        int least = Integer.MAX_VALUE;
        for (String candidate : known) {
            int edits = edits(name, candidate);
            if (edits < least) {
                least = edits;
                nearest = candidate;
            }
        }
        return nearest;
    }

    /** Levenshtein's distance. */
    private static int edits(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }
}
