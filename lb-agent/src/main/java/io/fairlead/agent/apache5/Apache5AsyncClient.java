package io.fairlead.agent.apache5;

import io.fairlead.agent.Client;
import io.fairlead.agent.weave.Target;
import java.util.Arrays;
import java.util.List;

/** Apache HttpClient 5, asynchronous, HTTP/1.1 and HTTP/2. The shapes are those of 5.0 to 5.6.5. */
public final class Apache5AsyncClient implements Client {
    private static final String ASYNC = "org.apache.hc.client5.http.impl.async.";
    private static final String CONTEXT = "Lorg/apache/hc/client5/http/protocol/HttpClientContext;";
    private static final String CALLBACK = "Lorg/apache/hc/core5/concurrent/FutureCallback;";
    private static final String CANCELLABLE = "Lorg/apache/hc/core5/concurrent/Cancellable;";

    @Override
    public String name() {
        return "Apache HttpAsyncClient 5";
    }

    @Override
    public List<Target> targets() {
        return Arrays.asList(
                Target.of(ASYNC + "AsyncConnectExec")
                        .around(
                                "execute",
                                "execute",
                                "(Lorg/apache/hc/core5/http/HttpRequest;"
                                        + "Lorg/apache/hc/core5/http/nio/AsyncEntityProducer;"
                                        + "Lorg/apache/hc/client5/http/async/AsyncExecChain$Scope;"
                                        + "Lorg/apache/hc/client5/http/async/AsyncExecChain;"
                                        + "Lorg/apache/hc/client5/http/async/AsyncExecCallback;)V"),
                runtime("InternalHttpAsyncExecRuntime", "acquire"),
                runtime("InternalH2AsyncExecRuntime", "acquireHttp2"),
                Target.of("org.apache.hc.client5.http.impl.nio.MultihomeConnectionInitiator")
                        .around(
                                "connect",
                                "open",
                                "(Lorg/apache/hc/core5/net/NamedEndpoint;Ljava/net/SocketAddress;Ljava/net/SocketAddress;"
                                        + "Lorg/apache/hc/core5/util/Timeout;Ljava/lang/Object;" + CALLBACK
                                        + ")Ljava/util/concurrent/Future;"));
    }

    private static Target runtime(String name, String acquire) {
        return Target.of(ASYNC + name)
                .around(
                        "acquireEndpoint",
                        acquire,
                        "(Ljava/lang/String;Lorg/apache/hc/client5/http/HttpRoute;Ljava/lang/Object;" + CONTEXT
                                + CALLBACK + ")" + CANCELLABLE)
                .around("connectEndpoint", "connect", "(" + CONTEXT + CALLBACK + ")" + CANCELLABLE)
                .around(
                        "execute",
                        "send",
                        "(Ljava/lang/String;Lorg/apache/hc/core5/http/nio/AsyncClientExchangeHandler;" + CONTEXT + ")"
                                + CANCELLABLE);
    }

    @Override
    public String adapter() {
        return "io.fairlead.agent.apache5.Apache5AsyncAdapter";
    }
}
