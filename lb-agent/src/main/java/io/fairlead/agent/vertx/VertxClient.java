package io.fairlead.agent.vertx;

import io.fairlead.agent.Client;
import io.fairlead.agent.weave.Target;
import java.util.Arrays;
import java.util.List;

/** Vert.x' HTTP client. The shapes are those of 4.5 and 5.0. */
public final class VertxClient implements Client {
    static final String IMPL = "io.vertx.core.http.impl.";

    private static final String HTTP = "Lio/vertx/core/http/";
    private static final String FUTURE = "Lio/vertx/core/Future;";
    private static final String HANDLER = "Lio/vertx/core/Handler;";
    private static final String BYTES = "Lio/netty/buffer/ByteBuf;";

    @Override
    public String name() {
        return "Vert.x HttpClient";
    }

    @Override
    public List<Target> targets() {
        return Arrays.asList(
                Target.of(IMPL + "HttpClientImpl")
                        .around("request", "request", "(" + HTTP + "RequestOptions;)" + FUTURE)
                        // Version 4's other way to the same.
                        .aroundIfThere("request", "requestTo", "(" + HTTP + "RequestOptions;" + HANDLER + ")V"),
                Target.of(IMPL + "HttpClientRequestImpl")
                        .around("handleException", "failed", "(Ljava/lang/Throwable;)V")
                        .aroundIfThere("doWrite", "write", "(" + BYTES + "ZZ" + HANDLER + ")V")
                        .aroundIfThere("doWrite", "write", "(" + BYTES + "ZZ)" + FUTURE),
                Target.of(IMPL + "HttpClientRequestBase")
                        .around("handleResponse", "response", "(" + HTTP + "HttpClientResponse;)V")
                        .around("reset", "reset", "(Ljava/lang/Throwable;)Z", "(Ljava/lang/Throwable;)" + FUTURE)
                        .around("absoluteURI", "uri", "()Ljava/lang/String;"),
                Target.of(IMPL + "HttpClientResponseImpl").around("handleEnd", "ended", "(Lio/vertx/core/MultiMap;)V"));
    }

    @Override
    public String adapter() {
        return "io.fairlead.agent.vertx.VertxAdapter";
    }
}
