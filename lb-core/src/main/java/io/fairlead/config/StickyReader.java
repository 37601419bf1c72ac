package io.fairlead.config;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads {@code sticky}; what may stand in a cookie is RFC 6265, section 4.1.1. */
final class StickyReader {
    private static final List<String> SAME_SITE = Arrays.asList("none", "lax", "strict");

    private StickyReader() {}

    static @Nullable StickySpec read(ConfigNode sticky) {
        if (sticky.isMissing()) {
            return null;
        }
        sticky.notice(Notices.NO_EFFECT);
        sticky.allow("cookie");
        ConfigNode cookie = sticky.get("cookie");
        if (!sticky.isMapping() || !cookie.require()) {
            return null;
        }
        cookie.allow("name", "secure", "httpOnly", "sameSite", "maxAge", "path", "domain");
        return new StickySpec(
                name(cookie.get("name")),
                cookie.get("secure").bool(false),
                cookie.get("httpOnly").bool(false),
                sameSite(cookie.get("sameSite")),
                maxAge(cookie.get("maxAge")),
                path(cookie.get("path")),
                attribute(cookie.get("domain")));
    }

    private static @Nullable String name(ConfigNode node) {
        String name = node.string();
        if (name != null && !name.matches("[!#$%&'*+.^_`|~0-9A-Za-z-]+")) {
            node.problem(Quote.of(name) + " cannot be a cookie's name");
        }
        return name;
    }

    private static @Nullable String sameSite(ConfigNode node) {
        String text = node.string();
        if (text == null) {
            return null;
        }
        String sameSite = text.toLowerCase(Locale.ROOT);
        if (!SAME_SITE.contains(sameSite)) {
            node.problem("must be none, lax or strict, not " + Quote.of(text));
        }
        return sameSite;
    }

    private static @Nullable Duration maxAge(ConfigNode node) {
        Duration age = node.duration();
        if (age != null && age.toNanos() % 1_000_000_000L != 0) {
            node.problem("must be whole seconds");
        }
        // Zero means none set, as in Traefik; as an attribute it would delete the cookie.
        return age == null || age.isZero() ? null : age;
    }

    private static @Nullable String path(ConfigNode node) {
        String path = attribute(node);
        if (path != null && !path.startsWith("/")) {
            node.problem("must begin with /");
        }
        return path;
    }

    private static @Nullable String attribute(ConfigNode node) {
        String text = node.string();
        if (text != null && !text.matches("[\\x21-\\x3a\\x3c-\\x7e]+")) {
            node.problem(Quote.of(text) + " cannot stand in a cookie");
        }
        return text;
    }
}
