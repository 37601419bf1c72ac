package io.fairlead.benchmarks.proxy;

import io.undertow.Undertow;
import io.undertow.server.handlers.proxy.LoadBalancingProxyClient;
import io.undertow.server.handlers.proxy.ProxyHandler;
import java.net.InetSocketAddress;
import java.net.URI;

/** Undertow with its proxy handler. Arguments: the server's port. */
public final class UndertowMain {
    private UndertowMain() {}

    /** Serves until the process is ended. */
    public static void main(String[] args) {
        // The number counts for hosts that are added after it.
        LoadBalancingProxyClient client = new LoadBalancingProxyClient().setConnectionsPerThread(512);
        client.addHost(URI.create("http://127.0.0.1:" + args[0]));
        Undertow server = Undertow.builder()
                .addHttpListener(0, "127.0.0.1")
                .setHandler(ProxyHandler.builder()
                        .setProxyClient(client)
                        .setMaxRequestTime(60_000)
                        .build())
                .build();
        server.start();
        InetSocketAddress address =
                (InetSocketAddress) server.getListenerInfo().get(0).getAddress();
        ProxyMain.announce(address.getPort());
    }
}
