package io.fairlead.agent.apache5;

import io.fairlead.agent.Client;
import io.fairlead.agent.weave.Target;
import java.util.Arrays;
import java.util.List;

/** Apache HttpClient 5, classic. The shapes are those of 5.0 to 5.6.5. */
public final class Apache5Client implements Client {
    private static final String CONTEXT = "Lorg/apache/hc/client5/http/protocol/HttpClientContext;";

    @Override
    public String name() {
        return "Apache HttpClient 5";
    }

    @Override
    public List<Target> targets() {
        return Arrays.asList(
                Target.of("org.apache.hc.client5.http.impl.classic.ConnectExec")
                        .around(
                                "execute",
                                "execute",
                                "(Lorg/apache/hc/core5/http/ClassicHttpRequest;"
                                        + "Lorg/apache/hc/client5/http/classic/ExecChain$Scope;"
                                        + "Lorg/apache/hc/client5/http/classic/ExecChain;)"
                                        + "Lorg/apache/hc/core5/http/ClassicHttpResponse;"),
                Target.of("org.apache.hc.client5.http.impl.classic.InternalExecRuntime")
                        .around(
                                "acquireEndpoint",
                                "acquire",
                                "(Ljava/lang/String;Lorg/apache/hc/client5/http/HttpRoute;Ljava/lang/Object;" + CONTEXT
                                        + ")V")
                        .around("connectEndpoint", "connect", "(" + CONTEXT + ")V")
                        .around("releaseEndpoint", "released", "()V")
                        .around("disconnectEndpoint", "released", "()V")
                        .around("discardEndpoint", "discarded", "()V")
                        .around("cancel", "cancelled", "()Z"));
    }

    @Override
    public String adapter() {
        return "io.fairlead.agent.apache5.Apache5Adapter";
    }
}
