package io.fairlead.servlet.middleware;

import io.fairlead.config.ConfigNode;
import io.fairlead.servlet.routing.GoPattern;
import io.fairlead.servlet.routing.Replacement;
import org.jspecify.annotations.Nullable;

/** {@code regex} and {@code replacement}, as several middlewares have them. Immutable. */
final class RegexExchange {
    private static final GoPattern NOTHING = GoPattern.compile("[^\\x00-\\x{10FFFF}]");

    private final GoPattern pattern;
    private final Replacement replacement;

    private RegexExchange(GoPattern pattern, Replacement replacement) {
        this.pattern = pattern;
        this.replacement = replacement;
    }

    /** Reads the two; what is wrong becomes problems, and nothing is exchanged then. */
    static RegexExchange read(ConfigNode node) {
        GoPattern pattern = pattern(node.get("regex"));
        ConfigNode to = node.get("replacement");
        to.require();
        if (pattern == null) {
            return new RegexExchange(NOTHING, Replacement.of("", NOTHING));
        }
        try {
            return new RegexExchange(pattern, Replacement.of(to.string("").strip(), pattern));
        } catch (IllegalArgumentException e) {
            to.problem(String.valueOf(e.getMessage()));
            return new RegexExchange(NOTHING, Replacement.of("", NOTHING));
        }
    }

    /** A regular expression that must be there; null, with a problem, when it is none. */
    static @Nullable GoPattern pattern(ConfigNode node) {
        String regex = node.requiredString();
        if (regex == null) {
            return null;
        }
        try {
            return GoPattern.compile(regex.strip());
        } catch (IllegalArgumentException e) {
            node.problem(String.valueOf(e.getMessage()));
            return null;
        }
    }

    boolean matches(String text) {
        return pattern.find(text);
    }

    /** The text with all matches exchanged. */
    String apply(String text) {
        return pattern.replaceAll(text, replacement);
    }
}
