package io.fairlead.agent.apache4;

import io.fairlead.agent.Client;
import io.fairlead.agent.weave.Target;
import java.util.Arrays;
import java.util.List;

/** Apache HttpAsyncClient 4. The shapes are those of 4.1 to 4.1.5. */
public final class Apache4AsyncClient implements Client {
    private static final String CLIENT = "org.apache.http.impl.nio.client.";
    private static final String ROUTE = "Lorg/apache/http/conn/routing/HttpRoute;";
    private static final String REFERENCE = ":Ljava/util/concurrent/atomic/AtomicReference;";
    private static final String PRODUCER = "requestProducer:Lorg/apache/http/nio/protocol/HttpAsyncRequestProducer;";
    private static final String GENERATE = "()Lorg/apache/http/HttpRequest;";

    @Override
    public String name() {
        return "Apache HttpAsyncClient 4";
    }

    @Override
    public List<Target> targets() {
        return Arrays.asList(
                Target.of(CLIENT + "AbstractClientExchangeHandler")
                        .field("closed:Ljava/util/concurrent/atomic/AtomicBoolean;")
                        .field("routeRef" + REFERENCE)
                        .field("requestRef" + REFERENCE)
                        .field("managedConnRef" + REFERENCE)
                        .around("requestConnection", "request", "()V")
                        .around("onRouteToTarget", "upgrade", "()V")
                        .around("setRoute", "redirect", "(" + ROUTE + ")V")
                        .around("setCurrentResponse", "response", "(Lorg/apache/http/HttpResponse;)V")
                        .around("releaseConnection", "released", "()V")
                        .around("failed", "failed", "(Ljava/lang/Exception;)V")
                        .around("cancel", "cancelled", "()Z")
                        .around("close", "closed", "()V"),
                Target.of(CLIENT + "DefaultClientExchangeHandlerImpl")
                        .field(PRODUCER)
                        .around("generateRequest", "send", GENERATE),
                Target.of(CLIENT + "MinimalClientExchangeHandlerImpl")
                        .field(PRODUCER)
                        .around("generateRequest", "send", GENERATE),
                Target.of("org.apache.http.impl.nio.conn.PoolingNHttpClientConnectionManager")
                        .around(
                                "requestConnection",
                                "lease",
                                "(" + ROUTE + "Ljava/lang/Object;JJLjava/util/concurrent/TimeUnit;"
                                        + "Lorg/apache/http/concurrent/FutureCallback;)Ljava/util/concurrent/Future;")
                        .around(
                                "startRoute",
                                "start",
                                "(Lorg/apache/http/nio/NHttpClientConnection;" + ROUTE
                                        + "Lorg/apache/http/protocol/HttpContext;)V"),
                Target.of("org.apache.http.impl.nio.conn.PoolingNHttpClientConnectionManager$InternalAddressResolver")
                        .around("resolveRemoteAddress", "resolve", "(" + ROUTE + ")Ljava/net/SocketAddress;"));
    }

    @Override
    public String adapter() {
        return "io.fairlead.agent.apache4.Apache4AsyncAdapter";
    }
}
