package io.fairlead.benchmarks.okhttp;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.Address;
import io.vertx.core.net.AddressResolver;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.net.endpoint.LoadBalancer;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Vert.x's client with its round robin. It works on its own thread; the caller waits for it. */
final class VertxSubject implements Client {
    private final Vertx vertx = Vertx.vertx();
    /** One for all calls, as of an application on one event loop. */
    private final Context context = vertx.getOrCreateContext();

    private final HttpClient client;
    private final RequestOptions request;

    VertxSubject(List<String> urls) {
        List<SocketAddress> servers = urls.stream()
                .map(URI::create)
                .map(uri -> SocketAddress.inetSocketAddress(uri.getPort(), uri.getHost()))
                .toList();
        client = vertx.httpClientBuilder()
                .withAddressResolver(AddressResolver.<Address>mappingResolver(address -> servers))
                .withLoadBalancer(LoadBalancer.ROUND_ROBIN)
                .build();
        request = new RequestOptions()
                .setServer(new Orders())
                .setMethod(HttpMethod.GET)
                .setHost("orders")
                .setURI("/items/7");
    }

    @Override
    public int call() throws Exception {
        CompletableFuture<Integer> length = new CompletableFuture<>();
        context.runOnContext(now -> client.request(request)
                .compose(HttpClientRequest::send)
                .compose(HttpClientResponse::body)
                .onSuccess(body -> length.complete(body.length()))
                .onFailure(length::completeExceptionally));
        return length.get(60, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    /** The logical name. */
    private record Orders() implements Address {}
}
