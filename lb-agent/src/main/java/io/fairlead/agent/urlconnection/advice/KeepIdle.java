package io.fairlead.agent.urlconnection.advice;

import io.fairlead.agent.bootstrap.UrlConnections;
import net.bytebuddy.asm.Advice;
import org.jspecify.annotations.Nullable;

/** {@code KeepAliveCache.put}: a connection has become idle. */
public final class KeepIdle {
    private KeepIdle() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(
            @Advice.Argument(value = 1, readOnly = false) @Nullable Object key, @Advice.Argument(2) Object client) {
        key = UrlConnections.agent().poolKey(key, client);
    }
}
