package io.fairlead.agent.urlconnection.advice;

import io.fairlead.agent.bootstrap.UrlConnections;
import net.bytebuddy.asm.Advice;

/**
 * {@code HttpClient.finished} and {@code closeServer}: a connection has read its answer to the end, or is closed. Before,
 * since afterwards it may be another request's.
 */
public final class Finished {
    private Finished() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.This Object client) {
        UrlConnections.agent().finished(client);
    }
}
