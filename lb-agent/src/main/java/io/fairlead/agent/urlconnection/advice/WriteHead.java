package io.fairlead.agent.urlconnection.advice;

import io.fairlead.agent.bootstrap.UrlConnections;
import net.bytebuddy.asm.Advice;

/** {@code HttpClient.writeRequests}: the head of a request, and its body if that is buffered, is written. */
public final class WriteHead {
    private WriteHead() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.This Object client, @Advice.Argument(0) Object head) {
        UrlConnections.agent().writing(client, head);
    }
}
