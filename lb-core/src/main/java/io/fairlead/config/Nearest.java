package io.fairlead.config;

import java.util.Arrays;
import java.util.Collection;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Finds what was meant by a misspelt word. */
final class Nearest {
    /** Nobody misspells a longer word into one of ours, and the distance costs the product of the lengths. */
    private static final int MAX_LENGTH = 64;

    private static final int MAX_DISTANCE = 3;

    /** Of a list that nobody could have in mind as a whole only so much is searched. */
    private static final int MAX_CANDIDATES = 1_000;

    private Nearest() {}

    /** The known word that is nearest to the given one, without case; null when none is near. */
    static @Nullable String of(String word, Collection<String> known) {
        if (word.length() > MAX_LENGTH) {
            return null;
        }
        String lower = word.toLowerCase(Locale.ROOT);
        int least = lower.length() <= 3 ? 1 : lower.length() <= 6 ? 2 : MAX_DISTANCE;
        String nearest = null;
        int searched = 0;
        for (String candidate : known) {
            if (++searched > MAX_CANDIDATES) {
                break;
            }
            if (Math.abs(candidate.length() - lower.length()) > least) {
                continue;
            }
            int distance = distance(lower, candidate.toLowerCase(Locale.ROOT));
            if (distance < least || (distance == least && nearest == null)) {
                least = distance;
                nearest = candidate;
            }
        }
        return nearest;
    }

    /** Insertions, deletions, substitutions and swaps of neighbours (optimal string alignment). */
    private static int distance(String a, String b) {
        int[][] d = new int[a.length() + 1][b.length() + 1];
        for (int[] row : d) {
            Arrays.fill(row, MAX_DISTANCE + 1);
        }
        for (int i = 0; i <= Math.min(a.length(), MAX_DISTANCE); i++) {
            d[i][0] = i;
        }
        for (int j = 0; j <= Math.min(b.length(), MAX_DISTANCE); j++) {
            d[0][j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            // Further from the diagonal the distance is too great to matter.
            for (int j = Math.max(1, i - MAX_DISTANCE); j <= Math.min(b.length(), i + MAX_DISTANCE); j++) {
                int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
                d[i][j] = Math.min(Math.min(d[i - 1][j] + 1, d[i][j - 1] + 1), d[i - 1][j - 1] + change);
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
                    d[i][j] = Math.min(d[i][j], d[i - 2][j - 2] + 1);
                }
            }
        }
        return d[a.length()][b.length()];
    }
}
