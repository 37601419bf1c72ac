package io.fairlead.config;

import io.fairlead.sticky.StickyCookie;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads {@code sticky}. */
final class StickyReader {
    private StickyReader() {}

    static @Nullable StickyCookie read(ConfigNode sticky) {
        if (sticky.isMissing()) {
            return null;
        }
        sticky.allow("cookie");
        ConfigNode cookie = sticky.get("cookie");
        if (!sticky.isMapping() || !cookie.require()) {
            return null;
        }
        cookie.allow("name", "secure", "httpOnly", "sameSite", "maxAge", "path", "domain", "secret");
        StickyCookie.Builder builder = StickyCookie.builder();
        text(cookie, "name", builder::name);
        builder.secure(cookie.get("secure").bool(false));
        builder.httpOnly(cookie.get("httpOnly").bool(false));
        text(cookie, "sameSite", builder::sameSite);
        cookie.get("maxAge").give(cookie.get("maxAge").duration(), builder::maxAge);
        text(cookie, "path", builder::path);
        text(cookie, "domain", builder::domain);
        text(cookie, "secret", builder::secret);
        StickyCookie read = builder.build();
        if ("none".equals(read.sameSite()) && !read.secure()) {
            cookie.get("sameSite").problem("is none, and browsers refuse such a cookie without secure: true");
        }
        return read;
    }

    private static void text(ConfigNode cookie, String key, Consumer<String> receiver) {
        cookie.get(key).give(cookie.get(key).string(), receiver);
    }
}
