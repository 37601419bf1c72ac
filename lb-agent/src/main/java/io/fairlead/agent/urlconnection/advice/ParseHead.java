package io.fairlead.agent.urlconnection.advice;

import io.fairlead.agent.bootstrap.UrlConnections;
import net.bytebuddy.asm.Advice;
import org.jspecify.annotations.Nullable;

/** {@code HttpClient.parseHTTP}: the head of an answer is read. */
public final class ParseHead {
    private ParseHead() {}

    @Advice.OnMethodExit(suppress = Throwable.class, onThrowable = Throwable.class)
    static void exit(
            @Advice.This Object client,
            @Advice.Argument(0) Object head,
            @Advice.FieldValue("ignoreContinue") boolean ignoreContinue,
            @Advice.Thrown @Nullable Throwable thrown) {
        UrlConnections.agent().parsed(client, head, ignoreContinue, thrown);
    }
}
