package io.fairlead;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What of a server's own addresses is translated in the answers of a service, so that clients can follow them through
 * the proxy: redirects, and the scope of cookies.
 *
 * <p>Immutable; equal by value.
 */
public final class AnswerRewrite {
    /** Answers go through as they are. */
    public static final AnswerRewrite NONE =
            new AnswerRewrite(false, false, Collections.emptyMap(), Collections.emptyMap());

    private static final String ANY = "*";

    private final boolean location;
    private final boolean cookies;
    private final Map<String, String> cookieDomain;
    private final Map<String, String> cookiePath;

    private AnswerRewrite(
            boolean location, boolean cookies, Map<String, String> cookieDomain, Map<String, String> cookiePath) {
        this.location = location;
        this.cookies = cookies;
        this.cookieDomain = cookieDomain;
        this.cookiePath = cookiePath;
    }

    /**
     * A rewrite.
     *
     * @param location whether Location, Content-Location and Refresh are translated
     * @param cookies whether the domains and paths of cookies are
     * @param cookieDomain domains of cookies to what they become, without case and without a dot before them; {@code *}
     *     is any. Becoming nothing: the cookie is the host's alone
     * @param cookiePath beginnings of paths of cookies, by whole segments, to what they become
     */
    public static AnswerRewrite of(
            boolean location, boolean cookies, Map<String, String> cookieDomain, Map<String, String> cookiePath) {
        Map<String, String> domains = new LinkedHashMap<>();
        cookieDomain.forEach((from, to) -> domains.put(plain(from), to));
        return new AnswerRewrite(
                location,
                cookies,
                Collections.unmodifiableMap(domains),
                Collections.unmodifiableMap(new LinkedHashMap<>(cookiePath)));
    }

    /** Whether anything is translated. */
    public boolean isActive() {
        return location || rewritesCookies();
    }

    /** Whether Location, Content-Location and Refresh are translated. */
    public boolean location() {
        return location;
    }

    /** Whether the server's own domain and paths are translated in cookies. */
    public boolean cookies() {
        return cookies;
    }

    /** Whether cookies are touched at all. */
    public boolean rewritesCookies() {
        return cookies || !cookieDomain.isEmpty() || !cookiePath.isEmpty();
    }

    /** What a cookie's domain becomes, empty: it has none; null when nothing is said of it. */
    public @Nullable String domainFor(String domain) {
        if (cookieDomain.isEmpty()) {
            return null;
        }
        String to = cookieDomain.get(plain(domain));
        return to == null ? cookieDomain.get(ANY) : to;
    }

    /** What a cookie's path becomes, by the longest beginning that is named; null when none is. */
    public @Nullable String pathFor(String path) {
        String longest = null;
        for (String from : cookiePath.keySet()) {
            if (begins(path, from) && (longest == null || from.length() > longest.length())) {
                longest = from;
            }
        }
        if (longest == null) {
            return null;
        }
        String to = without(Objects.requireNonNull(cookiePath.get(longest)));
        String rest = path.substring(without(longest).length());
        return to.isEmpty() && rest.isEmpty() ? "/" : to + rest;
    }

    private static boolean begins(String path, String prefix) {
        String plain = without(prefix);
        return path.startsWith(plain) && (path.length() == plain.length() || path.charAt(plain.length()) == '/');
    }

    private static String without(String slashed) {
        return slashed.endsWith("/") ? slashed.substring(0, slashed.length() - 1) : slashed;
    }

    private static String plain(String domain) {
        String lower = domain.toLowerCase(Locale.ROOT);
        return lower.startsWith(".") ? lower.substring(1) : lower;
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof AnswerRewrite)) {
            return false;
        }
        AnswerRewrite that = (AnswerRewrite) other;
        return location == that.location
                && cookies == that.cookies
                && cookieDomain.equals(that.cookieDomain)
                && cookiePath.equals(that.cookiePath);
    }

    @Override
    public int hashCode() {
        return Objects.hash(location, cookies, cookieDomain, cookiePath);
    }

    @Override
    public String toString() {
        return "AnswerRewrite{location=" + location + ", cookies=" + cookies + ", cookieDomain=" + cookieDomain
                + ", cookiePath=" + cookiePath + "}";
    }
}
