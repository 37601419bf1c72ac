package io.fairlead.agent.urlconnection.advice;

import io.fairlead.agent.bootstrap.UrlConnections;
import net.bytebuddy.asm.Advice;
import org.jspecify.annotations.Nullable;

/** {@code KeepAliveCache.get}: an idle connection is looked for. */
public final class FindIdle {
    private FindIdle() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.Argument(value = 1, readOnly = false) @Nullable Object key) {
        key = UrlConnections.agent().poolKey(key, null);
    }
}
