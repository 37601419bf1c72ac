package io.fairlead.agent.urlconnection.advice;

import io.fairlead.agent.bootstrap.Refusal;
import io.fairlead.agent.bootstrap.UrlConnections;
import java.net.Proxy;
import java.net.URL;
import net.bytebuddy.asm.Advice;
import org.jspecify.annotations.Nullable;

/** {@code HttpsClient.New}: a call over https looks for a connection, an idle one or a new one. */
public final class NewSecureClient {
    private NewSecureClient() {}

    @Advice.OnMethodEnter(suppress = Throwable.class, skipOn = Refusal.class)
    static @Nullable Object enter(
            @Advice.Argument(1) URL url,
            @Advice.Argument(3) @Nullable Proxy proxy,
            @Advice.Argument(6) @Nullable Object connection) {
        return UrlConnections.agent().enterNew(url, proxy, connection);
    }

    @Advice.OnMethodExit(suppress = Throwable.class, onThrowable = Throwable.class)
    static void exit(
            @Advice.Enter @Nullable Object scope,
            @Advice.Return @Nullable Object client,
            @Advice.Thrown(readOnly = false) @Nullable Throwable thrown) {
        if (scope instanceof Refusal) {
            thrown = ((Refusal) scope).cause;
        } else if (scope != null) {
            UrlConnections.agent().exitNew(scope, client, thrown);
        }
    }
}
