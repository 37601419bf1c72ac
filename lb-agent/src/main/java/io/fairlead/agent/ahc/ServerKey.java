package io.fairlead.agent.ahc;

import org.jspecify.annotations.Nullable;

/**
 * What connections to one server are pooled by.
 *
 * <p>Immutable.
 */
final class ServerKey {
    private final Object users;
    private final String server;

    /** @param users the client's own key */
    ServerKey(Object users, String server) {
        this.users = users;
        this.server = server;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ServerKey
                && users.equals(((ServerKey) other).users)
                && server.equals(((ServerKey) other).server);
    }

    @Override
    public int hashCode() {
        return 31 * users.hashCode() + server.hashCode();
    }

    @Override
    public String toString() {
        return users + " at " + server;
    }
}
