package io.fairlead.agent.urlconnection.advice;

import io.fairlead.agent.bootstrap.UrlConnections;
import net.bytebuddy.asm.Advice;
import org.jspecify.annotations.Nullable;

/** {@code HttpURLConnection.getInputStream} and {@code getOutputStream}, where they throw. */
public final class StreamRefused {
    private StreamRefused() {}

    @Advice.OnMethodExit(suppress = Throwable.class, onThrowable = Throwable.class)
    static void exit(@Advice.This Object connection, @Advice.Thrown @Nullable Throwable thrown) {
        if (thrown != null) {
            UrlConnections.agent().streamRefused(connection, thrown);
        }
    }
}
