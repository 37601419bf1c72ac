package io.fairlead.servlet.middleware;

import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Users and the hashes of their passwords.
 *
 * <p>Immutable.
 */
final class Users {
    private final Map<String, PasswordHash> byName;
    private final @Nullable PasswordHash decoy;

    private Users(Map<String, PasswordHash> byName) {
        this.byName = new HashMap<>(byName);
        this.decoy = byName.values().stream()
                .max(Comparator.comparingLong(PasswordHash::weight))
                .orElse(null);
    }

    /** A user as {@code name:hash} has it. */
    record Entry(String name, PasswordHash hash) {}

    /** These users; of several with one name the last counts. */
    static Users of(List<Entry> entries) {
        Map<String, PasswordHash> byName = new LinkedHashMap<>();
        entries.forEach(entry -> byName.put(entry.name(), entry.hash()));
        return new Users(byName);
    }

    /**
     * Reads {@code name:hash}.
     *
     * @throws IllegalArgumentException it is none; the message says why, and does not show the hash
     */
    static Entry entry(String text) {
        int colon = text.indexOf(':');
        if (colon <= 0) {
            throw new IllegalArgumentException("must be name:hash, as htpasswd writes it");
        }
        String name = text.substring(0, colon);
        if (!FieldRules.isValue(name)) {
            throw new IllegalArgumentException("the name of the user has a control character, or one beyond Latin-1");
        }
        PasswordHash hash = PasswordHash.parse(text.substring(colon + 1));
        if (hash == null) {
            throw new IllegalArgumentException(
                    "the password of the user '" + name
                            + "' is no hash that is known: bcrypt ($2y$, $2b$ or $2a$, a cost of 4 to 18), $apr1$, $1$, $5$, $6$ or {SHA}");
        }
        return new Entry(name, hash);
    }

    boolean isEmpty() {
        return byName.isEmpty();
    }

    /** The hash of a user's password; null when there is no such user. */
    @Nullable
    PasswordHash hash(String name) {
        return byName.get(name);
    }

    /** A hash to be computed for a user who is not there, so that it takes as long as for one who is: the slowest. */
    @Nullable
    PasswordHash decoy() {
        return decoy;
    }
}
