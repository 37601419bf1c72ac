package io.fairlead.agent.ahc;

import io.fairlead.agent.Client;
import io.fairlead.agent.weave.Target;
import java.util.Arrays;
import java.util.List;

/** AsyncHttpClient. The shapes are those of 2.12.4 and 3.0.2. */
public final class AsyncHttpLibrary implements Client {
    private static final String ROOT = "org.asynchttpclient.";
    private static final String LROOT = "Lorg/asynchttpclient/";
    private static final String LFUTURE = LROOT + "netty/NettyResponseFuture;";

    @Override
    public String name() {
        return "AsyncHttpClient";
    }

    @Override
    public List<Target> targets() {
        return Arrays.asList(
                Target.of(ROOT + "netty.request.NettyRequestSender")
                        .field("config:" + LROOT + "AsyncHttpClientConfig;")
                        .around(
                                "sendRequest",
                                "send",
                                "(" + LROOT + "Request;" + LROOT + "AsyncHandler;" + LFUTURE + ")" + LROOT
                                        + "ListenableFuture;")
                        .around(
                                "resolveAddresses",
                                "resolve",
                                "(" + LROOT + "Request;" + LROOT + "proxy/ProxyServer;" + LFUTURE + LROOT
                                        + "AsyncHandler;)Lio/netty/util/concurrent/Future;")
                        .around(
                                "handleUnexpectedClosedChannel",
                                "closed",
                                "(Lio/netty/channel/Channel;" + LFUTURE + ")V"),
                Target.of(ROOT + "netty.channel.NettyConnectListener")
                        .field("requestSender:" + LROOT + "netty/request/NettyRequestSender;")
                        .field("future:" + LFUTURE)
                        .around("onFailure", "refused", "(Lio/netty/channel/Channel;Ljava/lang/Throwable;)V"),
                Target.of(ROOT + "netty.request.WriteListener")
                        .field("future:" + LFUTURE)
                        .around("abortOnThrowable", "unwritten", "(Lio/netty/channel/Channel;Ljava/lang/Throwable;)V"),
                Target.of(ROOT + "DefaultRequest")
                        .around("getAddress", "address", "()Ljava/net/InetAddress;")
                        .around(
                                "getChannelPoolPartitioning",
                                "partitioning",
                                "()" + LROOT + "channel/ChannelPoolPartitioning;"));
    }

    @Override
    public String adapter() {
        return "io.fairlead.agent.ahc.AsyncHttpAdapter";
    }
}
