package io.fairlead.agent.urlconnection.advice;

import io.fairlead.agent.bootstrap.Refusal;
import io.fairlead.agent.bootstrap.UrlConnections;
import java.net.Proxy;
import java.net.URL;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.implementation.bytecode.assign.Assigner;
import org.jspecify.annotations.Nullable;

/**
 * {@code HttpClient.New} and {@code HttpsClient.New}: a call looks for a connection, an idle one or a new one. Over https
 * the URL stands behind what makes sockets, and the proxy behind what checks names.
 */
public final class NewClient {
    private NewClient() {}

    @Advice.OnMethodEnter(suppress = Throwable.class, skipOn = Refusal.class)
    static @Nullable Object enter(@Advice.AllArguments(typing = Assigner.Typing.DYNAMIC) @Nullable Object[] arguments) {
        boolean secure = arguments.length == 7;
        URL url = (URL) arguments[secure ? 1 : 0];
        Proxy proxy = (Proxy) arguments[secure ? 3 : 1];
        Object connection = arguments[secure ? 6 : 4];
        return url == null ? null : UrlConnections.agent().enterNew(url, proxy, connection);
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
