package io.fairlead.config;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The cookie that keeps a client on the server that it had.
 *
 * <p>Immutable; equal by value.
 */
public final class StickySpec {
    private final @Nullable String name;
    private final boolean secure;
    private final boolean httpOnly;
    private final @Nullable String sameSite;
    private final @Nullable Duration maxAge;
    private final @Nullable String path;
    private final @Nullable String domain;

    StickySpec(
            @Nullable String name,
            boolean secure,
            boolean httpOnly,
            @Nullable String sameSite,
            @Nullable Duration maxAge,
            @Nullable String path,
            @Nullable String domain) {
        this.name = name;
        this.secure = secure;
        this.httpOnly = httpOnly;
        this.sameSite = sameSite;
        this.maxAge = maxAge;
        this.path = path;
        this.domain = domain;
    }

    /** The cookie's name; null: the file leaves it to us. */
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

    /** The path that it is sent for; null: the attribute is left out. */
    public @Nullable String path() {
        return path;
    }

    /** The domain that it is sent for; null: the attribute is left out. */
    public @Nullable String domain() {
        return domain;
    }

    private List<@Nullable Object> values() {
        return Arrays.asList(name, secure, httpOnly, sameSite, maxAge, path, domain);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof StickySpec && values().equals(((StickySpec) other).values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "StickySpec" + values();
    }
}
