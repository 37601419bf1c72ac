package io.fairlead.strategy;

import java.util.Arrays;
import java.util.Collection;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Finds the known word that a misspelt one was meant to be, without case; for messages. */
public final class Nearest {
    /** Nobody misspells a longer word into one of ours, and the distance costs the product of the lengths. */
    private static final int MAX_LENGTH = 64;

    private static final int MAX_DISTANCE = 3;

    /** Of a list that nobody could have in mind as a whole only so much is searched. */
    private static final int MAX_CANDIDATES = 1_000;

    private Nearest() {}

    /** The known word that is nearest to the given one; null when none is near. */
    public static @Nullable String of(String word, Collection<String> known) {
        int near = word.length() <= 3 ? 1 : word.length() <= 6 ? 2 : MAX_DISTANCE;
        return word.length() > MAX_LENGTH ? null : within(near, word, known);
    }

    /** The known word that is nearest to the given one, however far; the first of equals. There is at least one. */
    static String to(String word, Collection<String> known) {
        String nearest = within(MAX_LENGTH, word.substring(0, Math.min(word.length(), MAX_LENGTH)), known);
        return nearest == null ? known.iterator().next() : nearest;
    }

    private static @Nullable String within(int most, String word, Collection<String> known) {
        String lower = word.toLowerCase(Locale.ROOT);
        int least = most;
        String nearest = null;
        int searched = 0;
        for (String candidate : known) {
            if (++searched > MAX_CANDIDATES) {
                break;
            }
            if (Math.abs(candidate.length() - lower.length()) > least) {
                continue;
            }
            int distance = distance(lower, candidate.toLowerCase(Locale.ROOT), most);
            if (distance < least || (distance == least && nearest == null)) {
                least = distance;
                nearest = candidate;
            }
        }
        return nearest;
    }

    /** Insertions, deletions, substitutions and swaps of neighbours (optimal string alignment); more than most is more. */
    private static int distance(String a, String b, int most) {
        int[][] d = new int[a.length() + 1][b.length() + 1];
        for (int[] row : d) {
            Arrays.fill(row, most + 1);
        }
        for (int i = 0; i <= Math.min(a.length(), most); i++) {
            d[i][0] = i;
        }
        for (int j = 0; j <= Math.min(b.length(), most); j++) {
            d[0][j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            // Further from the diagonal the distance is too great to matter.
            for (int j = Math.max(1, i - most); j <= Math.min(b.length(), i + most); j++) {
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
