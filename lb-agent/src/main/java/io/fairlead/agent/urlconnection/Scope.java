package io.fairlead.agent.urlconnection;

import io.fairlead.agent.route.Exchange;
import java.net.HttpURLConnection;
import org.jspecify.annotations.Nullable;

/**
 * What the current thread is doing while the JDK looks for a connection. Scopes are stacked, since the code of others
 * (a resolver, a socket factory) may make a call of its own in the midst of it.
 */
final class Scope {
    final @Nullable Scope outer;
    /** Null: a call that is not ours. */
    final @Nullable Exchange exchange;
    /** Null where no call is begun. */
    final @Nullable HttpURLConnection connection;

    Scope(@Nullable Scope outer, @Nullable Exchange exchange, @Nullable HttpURLConnection connection) {
        this.outer = outer;
        this.exchange = exchange;
        this.connection = connection;
    }
}
