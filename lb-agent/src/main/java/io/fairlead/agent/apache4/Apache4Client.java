package io.fairlead.agent.apache4;

import io.fairlead.agent.Client;
import io.fairlead.agent.weave.Target;
import java.util.Arrays;
import java.util.List;

/** Apache HttpClient 4. The shapes are those of 4.3 to 4.5.14. */
public final class Apache4Client implements Client {
    private static final String EXECUTE =
            "(Lorg/apache/http/conn/routing/HttpRoute;Lorg/apache/http/client/methods/HttpRequestWrapper;"
                    + "Lorg/apache/http/client/protocol/HttpClientContext;"
                    + "Lorg/apache/http/client/methods/HttpExecutionAware;)"
                    + "Lorg/apache/http/client/methods/CloseableHttpResponse;";

    @Override
    public String name() {
        return "Apache HttpClient 4";
    }

    @Override
    public List<Target> targets() {
        return Arrays.asList(
                Target.of("org.apache.http.impl.execchain.MainClientExec")
                        .around("execute", "execute", EXECUTE)
                        .around(
                                "establishRoute",
                                "connect",
                                "(Lorg/apache/http/auth/AuthState;Lorg/apache/http/HttpClientConnection;"
                                        + "Lorg/apache/http/conn/routing/HttpRoute;Lorg/apache/http/HttpRequest;"
                                        + "Lorg/apache/http/client/protocol/HttpClientContext;)V"),
                Target.of("org.apache.http.impl.execchain.MinimalClientExec").around("execute", "execute", EXECUTE),
                Target.of("org.apache.http.impl.execchain.ConnectionHolder")
                        .around(
                                "<init>",
                                "held",
                                "(Lorg/apache/commons/logging/Log;Lorg/apache/http/conn/HttpClientConnectionManager;"
                                        + "Lorg/apache/http/HttpClientConnection;)V")
                        .around("releaseConnection", "released", "()V")
                        .around("close", "released", "()V")
                        .around("abortConnection", "aborted", "()V")
                        .around("cancel", "cancelled", "()Z"));
    }

    @Override
    public String adapter() {
        return "io.fairlead.agent.apache4.Apache4Adapter";
    }
}
