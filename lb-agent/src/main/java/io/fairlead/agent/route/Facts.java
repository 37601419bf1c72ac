package io.fairlead.agent.route;

import io.fairlead.LocalAddress;
import io.fairlead.RequestFacts;
import org.jspecify.annotations.Nullable;

/** What is the same for the requests of every client: cookies are in a field, and the caller is this machine. */
public abstract class Facts implements RequestFacts {
    /** For a client. */
    protected Facts() {}

    @Override
    public @Nullable String cookie(String name) {
        String header = header("Cookie");
        if (header != null) {
            for (String pair : header.split(";", -1)) {
                String cookie = pair.trim();
                if (cookie.startsWith(name) && cookie.startsWith("=", name.length())) {
                    return cookie.substring(name.length() + 1);
                }
            }
        }
        return null;
    }

    @Override
    public String remoteAddress() {
        return LocalAddress.text();
    }

    /** The path of a request's target, without the query. */
    protected static String pathOf(String target) {
        int query = target.indexOf('?');
        String path = query < 0 ? target : target.substring(0, query);
        int scheme = path.indexOf("://");
        if (scheme < 0 || path.startsWith("/")) {
            return path;
        }
        int slash = path.indexOf('/', scheme + 3);
        return slash < 0 ? "/" : path.substring(slash);
    }

    /** The query of a request's target; null where there is none. */
    protected static @Nullable String queryOf(String target) {
        int query = target.indexOf('?');
        return query < 0 ? null : target.substring(query + 1);
    }
}
