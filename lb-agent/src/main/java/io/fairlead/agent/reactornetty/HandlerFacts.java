package io.fairlead.agent.reactornetty;

import io.fairlead.agent.route.Facts;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** What is known of a request before it is sent: fields that the application adds while it is written are not. */
final class HandlerFacts extends Facts {
    private final String method;
    private final String target;
    private final String host;
    private final @Nullable Object headers;

    HandlerFacts(String method, String target, String host, @Nullable Object headers) {
        this.method = method;
        this.target = target;
        this.host = host;
        this.headers = headers;
    }

    @Override
    public String method() {
        return method;
    }

    @Override
    public String path() {
        return pathOf(target);
    }

    @Override
    public @Nullable String query() {
        return queryOf(target);
    }

    @Override
    public String host() {
        return host;
    }

    @Override
    public @Nullable String header(String name) {
        if (headers == null) {
            return null;
        }
        try {
            Method get = headers.getClass().getMethod("get", String.class);
            return (String) get.invoke(headers, name);
        } catch (ReflectiveOperationException e) {
            return null;
        }
    }
}
