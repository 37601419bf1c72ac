package io.fairlead.servlet;

import io.fairlead.RequestFacts;
import jakarta.servlet.http.Cookie;
import java.util.List;
import org.eclipse.jetty.http.HttpFields;
import org.jspecify.annotations.Nullable;

/** What is known of a request that is copied, kept for when the container has taken the request back. */
record CopyFacts(
        String method,
        String path,
        @Nullable String query,
        String host,
        String authority,
        String remoteAddress,
        HttpFields fields,
        List<Cookie> cookies)
        implements RequestFacts {

    static CopyFacts of(
            ServletFacts facts,
            @Nullable String query,
            String authority,
            HttpFields fields,
            Cookie @Nullable [] cookies) {
        return new CopyFacts(
                facts.method(),
                facts.path(),
                query,
                facts.host(),
                authority,
                facts.remoteAddress(),
                fields,
                cookies == null ? List.of() : List.of(cookies));
    }

    @Override
    public @Nullable String header(String name) {
        return name.equalsIgnoreCase("Host") ? authority : fields.get(name);
    }

    @Override
    public @Nullable String cookie(String name) {
        for (Cookie cookie : cookies) {
            if (cookie.getName().equals(name)) {
                return cookie.getValue();
            }
        }
        return null;
    }
}
