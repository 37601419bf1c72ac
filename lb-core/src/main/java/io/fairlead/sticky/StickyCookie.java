package io.fairlead.sticky;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The cookie that keeps a client where it was: its name and attributes (RFC 6265), and the secret by which its values are
 * made.
 *
 * <p>Immutable; equal by value.
 */
public final class StickyCookie {
    /** A shorter secret could be guessed. */
    public static final int MIN_SECRET = 16;

    private static final Duration MOST_AGE = Duration.ofDays(36_525);

    private static final List<String> SAME_SITE = Arrays.asList("none", "lax", "strict");

    private final @Nullable String name;
    private final boolean secure;
    private final boolean httpOnly;
    private final @Nullable String sameSite;
    private final @Nullable Duration maxAge;
    private final String path;
    private final @Nullable String domain;
    private final @Nullable String secret;

    private StickyCookie(Builder builder) {
        name = builder.name;
        secure = builder.secure;
        httpOnly = builder.httpOnly;
        sameSite = builder.sameSite;
        maxAge = builder.maxAge;
        path = builder.path;
        domain = builder.domain;
        secret = builder.secret;
    }

    /** Begins a cookie of a name that is made of the service's, for every path, as long as the browser's session. */
    public static Builder builder() {
        return new Builder();
    }

    /** The cookie's name; null: it is made of the service's name. */
    public @Nullable String name() {
        return name;
    }

    /** Whether it is sent over TLS only. */
    public boolean secure() {
        return secure;
    }

    /** Whether scripts are kept from it. */
    public boolean httpOnly() {
        return httpOnly;
    }

    /** {@code none}, {@code lax} or {@code strict}, in lower case; null: the attribute is left out. */
    public @Nullable String sameSite() {
        return sameSite;
    }

    /** How long it lives, in whole seconds; null: as long as the browser's session. */
    public @Nullable Duration maxAge() {
        return maxAge;
    }

    /** The path that it is sent for. */
    public String path() {
        return path;
    }

    /** The domain that it is sent for; null: the attribute is left out. */
    public @Nullable String domain() {
        return domain;
    }

    /** The key that values are made with; null: one that is made by chance at the start. */
    @Nullable
    String secret() {
        return secret;
    }

    /** The attributes as {@code Set-Cookie} has them after the value. */
    String attributes() {
        StringBuilder text = new StringBuilder("; Path=").append(path);
        if (domain != null) {
            text.append("; Domain=").append(domain);
        }
        if (maxAge != null) {
            text.append("; Max-Age=").append(maxAge.toMillis() / 1000);
        }
        if (httpOnly) {
            text.append("; HttpOnly");
        }
        if (secure) {
            text.append("; Secure");
        }
        if (sameSite != null) {
            text.append("; SameSite=")
                    .append(Character.toUpperCase(sameSite.charAt(0)))
                    .append(sameSite, 1, sameSite.length());
        }
        return text.toString();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        if (!(other instanceof StickyCookie)) {
            return false;
        }
        StickyCookie that = (StickyCookie) other;
        return values().equals(that.values()) && Objects.equals(secret, that.secret);
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    private List<@Nullable Object> values() {
        return Arrays.asList(name, secure, httpOnly, sameSite, maxAge, path, domain);
    }

    /** Without the secret. */
    @Override
    public String toString() {
        return "StickyCookie" + values();
    }

    /** Builds a cookie; not safe for use from several threads. */
    public static final class Builder {
        private @Nullable String name;
        private boolean secure;
        private boolean httpOnly;
        private @Nullable String sameSite;
        private @Nullable Duration maxAge;
        private String path = "/";
        private @Nullable String domain;
        private @Nullable String secret;

        private Builder() {}

        /**
         * The name; without one it is made of the service's name.
         *
         * @throws IllegalArgumentException no cookie can have that name
         */
        public Builder name(String cookieName) {
            if (!cookieName.matches("[!#$%&'*+.^_`|~0-9A-Za-z-]+")) {
                throw new IllegalArgumentException("'" + cookieName + "' cannot be a cookie's name");
            }
            name = cookieName;
            return this;
        }

        /** Whether it is sent over TLS only; false unless said otherwise. */
        public Builder secure(boolean overTlsOnly) {
            secure = overTlsOnly;
            return this;
        }

        /** Whether scripts are kept from it; false unless said otherwise. */
        public Builder httpOnly(boolean hidden) {
            httpOnly = hidden;
            return this;
        }

        /**
         * {@code none}, {@code lax} or {@code strict}, in any case; left out unless said otherwise.
         *
         * @throws IllegalArgumentException it is another word
         */
        public Builder sameSite(String word) {
            String lower = word.toLowerCase(Locale.ROOT);
            if (!SAME_SITE.contains(lower)) {
                throw new IllegalArgumentException("must be none, lax or strict, not '" + word + "'");
            }
            sameSite = lower;
            return this;
        }

        /**
         * How long it lives; zero, the default: as long as the browser's session.
         *
         * @throws IllegalArgumentException it is negative, no whole number of seconds, or more than 100 years
         */
        public Builder maxAge(Duration age) {
            if (age.compareTo(MOST_AGE) > 0) {
                throw new IllegalArgumentException("must be at most 100 years");
            }
            if (age.isNegative() || age.toNanos() % 1_000_000_000L != 0) {
                throw new IllegalArgumentException("must be whole seconds");
            }
            maxAge = age.isZero() ? null : age;
            return this;
        }

        /**
         * The path that it is sent for; {@code /} unless said otherwise.
         *
         * @throws IllegalArgumentException it does not begin with a slash, or cannot stand in a cookie
         */
        public Builder path(String newPath) {
            attribute(newPath);
            if (!newPath.startsWith("/")) {
                throw new IllegalArgumentException("must begin with /");
            }
            path = newPath;
            return this;
        }

        /**
         * The domain that it is sent for; left out unless said otherwise, which means the host alone.
         *
         * @throws IllegalArgumentException it cannot stand in a cookie
         */
        public Builder domain(String newDomain) {
            attribute(newDomain);
            domain = newDomain;
            return this;
        }

        /**
         * The secret that the values are made with: several proxies with the same one understand each other's cookies,
         * and they outlive a restart. Without one a key is made by chance at the start.
         *
         * @throws IllegalArgumentException it has less than {@link #MIN_SECRET} characters
         */
        public Builder secret(String text) {
            if (text.length() < MIN_SECRET) {
                throw new IllegalArgumentException("must have at least " + MIN_SECRET + " characters");
            }
            secret = text;
            return this;
        }

        private static void attribute(String text) {
            if (!text.matches("[\\x21-\\x3a\\x3c-\\x7e]+")) {
                throw new IllegalArgumentException("'" + text + "' cannot stand in a cookie");
            }
        }

        /** The cookie. */
        public StickyCookie build() {
            return new StickyCookie(this);
        }
    }
}
