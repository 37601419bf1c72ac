package io.fairlead.agent.urlconnection.advice;

import io.fairlead.agent.bootstrap.UrlConnections;
import net.bytebuddy.asm.Advice;

/** {@code HttpURLConnection.disconnect}: before the socket is closed, so that a reader's failure is not the server's. */
public final class Disconnect {
    private Disconnect() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.This Object connection) {
        UrlConnections.agent().disconnecting(connection);
    }
}
