package io.fairlead.agent.urlconnection.advice;

import io.fairlead.agent.bootstrap.UrlConnections;
import net.bytebuddy.asm.Advice;
import org.jspecify.annotations.Nullable;

/** {@code HttpClient.closeIdleConnection}: an idle connection to the same server is looked for, and closed. */
public final class CloseIdle {
    private CloseIdle() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static @Nullable Object enter(@Advice.This Object client) {
        return UrlConnections.agent().enterCloseIdle(client);
    }

    @Advice.OnMethodExit(suppress = Throwable.class, onThrowable = Throwable.class)
    static void exit(@Advice.Enter @Nullable Object scope) {
        if (scope != null) {
            UrlConnections.agent().exitCloseIdle(scope);
        }
    }
}
