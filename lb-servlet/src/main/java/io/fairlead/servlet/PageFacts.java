package io.fairlead.servlet;

import io.fairlead.RequestFacts;
import org.jspecify.annotations.Nullable;

/** What is known of a request to another service than the one that was meant, made for the same client. */
record PageFacts(
        ServletFacts facts,
        String method,
        String path,
        @Nullable String query) implements RequestFacts {
    @Override
    public String host() {
        return facts.host();
    }

    @Override
    public @Nullable String header(String name) {
        return facts.header(name);
    }

    @Override
    public @Nullable String cookie(String name) {
        return facts.cookie(name);
    }

    @Override
    public @Nullable String affinity(String cookie) {
        return facts.affinity(cookie);
    }

    @Override
    public @Nullable String affinity(String cookie, int index) {
        return facts.affinity(cookie, index);
    }

    @Override
    public String remoteAddress() {
        return facts.remoteAddress();
    }
}
