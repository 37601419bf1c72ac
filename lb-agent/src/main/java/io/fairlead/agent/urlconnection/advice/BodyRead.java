package io.fairlead.agent.urlconnection.advice;

import io.fairlead.agent.bootstrap.UrlConnections;
import net.bytebuddy.asm.Advice;
import org.jspecify.annotations.Nullable;

/** {@code HttpInputStream.read}: the application reads a body. */
public final class BodyRead {
    private BodyRead() {}

    @Advice.OnMethodExit(suppress = Throwable.class, onThrowable = Throwable.class)
    static void exit(
            @Advice.FieldValue("this$0") Object connection,
            @Advice.Return int read,
            @Advice.Thrown @Nullable Throwable thrown) {
        if (read < 0 || thrown != null) {
            UrlConnections.agent().bodyEnded(connection, thrown);
        }
    }
}
