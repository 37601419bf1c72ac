package io.fairlead.agent.reactornetty;

import io.fairlead.agent.Client;
import io.fairlead.agent.weave.Target;
import java.util.Arrays;
import java.util.List;

/** Reactor Netty. The shapes are those of 1.0.48 and 1.3.7. */
public final class ReactorNettyClient implements Client {
    @Override
    public String name() {
        return "Reactor Netty";
    }

    @Override
    public List<Target> targets() {
        return Arrays.asList(
                Target.of("reactor.netty.http.client.HttpClientConnect$HttpClientHandler")
                        .field("toURI:Lreactor/netty/http/client/UriEndpoint;")
                        .around("get", "address", "()Ljava/net/SocketAddress;")
                        .around("redirect", "redirect", "(Ljava/lang/String;)V")
                        .around("channel", "channel", "(Lreactor/netty/http/client/HttpClientOperations;)V")
                        .around("test", "again", "(Ljava/lang/Throwable;)Z"),
                Target.of("reactor.netty.http.client.HttpClientOperations")
                        .around("setNettyResponse", "response", "(Lio/netty/handler/codec/http/HttpResponse;)V")
                        .around("onInboundClose", "closed", "()V")
                        .around("onInboundCancel", "cancelled", "()V"),
                Target.of("reactor.netty.channel.ChannelOperations").around("terminate", "terminated", "()V"));
    }

    @Override
    public String adapter() {
        return "io.fairlead.agent.reactornetty.ReactorNettyAdapter";
    }
}
