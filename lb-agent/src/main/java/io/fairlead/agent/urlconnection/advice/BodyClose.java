package io.fairlead.agent.urlconnection.advice;

import io.fairlead.agent.bootstrap.UrlConnections;
import net.bytebuddy.asm.Advice;

/** {@code HttpInputStream.close}: the application wants no more of a body. */
public final class BodyClose {
    private BodyClose() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.FieldValue("this$0") Object connection) {
        UrlConnections.agent().bodyEnded(connection, null);
    }
}
