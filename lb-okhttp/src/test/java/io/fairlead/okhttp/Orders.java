package io.fairlead.okhttp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.LoadBalancer;
import io.fairlead.LoadBalancers;
import io.fairlead.observe.EndpointSnapshot;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;

/** A client of the service {@code orders} (and others), and what a test asks of it. */
final class Orders implements AutoCloseable {
    final LoadBalancer balancer;
    final LoadBalancingInterceptor interceptor;
    final OkHttpClient client;
    private final LoadBalancers balancers;

    Orders(UnaryOperator<OkHttpClient.Builder> more, LoadBalancer balancer, LoadBalancer... others) {
        this.balancer = balancer;
        LoadBalancer[] all = new LoadBalancer[others.length + 1];
        all[0] = balancer;
        System.arraycopy(others, 0, all, 1, others.length);
        balancers = LoadBalancers.of(all);
        interceptor = LoadBalancingInterceptor.of(balancers);
        client = more.apply(new OkHttpClient.Builder()
                        .addInterceptor(interceptor)
                        .readTimeout(10, TimeUnit.SECONDS)
                        .retryOnConnectionFailure(false))
                .build();
    }

    static Orders over(String... urls) {
        return new Orders(UnaryOperator.identity(), service("orders", urls));
    }

    /** Servers that are taken in turn. */
    static LoadBalancer service(String name, String... urls) {
        io.fairlead.LoadBalancerBuilder builder = LoadBalancer.builder(name).strategy("round-robin");
        for (String url : urls) {
            builder.endpoint(url);
        }
        return builder.build();
    }

    /** A URL at which nobody listens. */
    static String deadUrl() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return "http://127.0.0.1:" + socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Response get(String url) throws IOException {
        return client.newCall(new Request.Builder().url(url).build()).execute();
    }

    String text(String url) throws IOException {
        try (Response response = get(url)) {
            return response.body().string();
        }
    }

    Response post(String url, RequestBody body) throws IOException {
        return client.newCall(new Request.Builder().url(url).post(body).build()).execute();
    }

    int inFlight() {
        return balancer.snapshot().endpoints().stream()
                .mapToInt(EndpointSnapshot::inFlight)
                .sum();
    }

    long failures() {
        return balancer.snapshot().endpoints().stream()
                .mapToLong(EndpointSnapshot::failures)
                .sum();
    }

    long picks() {
        return balancer.snapshot().endpoints().stream()
                .mapToLong(EndpointSnapshot::picks)
                .sum();
    }

    /** Ends the client; a pick that is still in flight or a connection that is still held is a leak. */
    @Override
    public void close() {
        try {
            await().untilAsserted(() -> {
                assertThat(inFlight()).as("requests in flight").isZero();
                assertThat(client.connectionPool().connectionCount())
                        .as("connections, of which all are idle")
                        .isEqualTo(client.connectionPool().idleConnectionCount());
            });
        } finally {
            client.connectionPool().evictAll();
            client.dispatcher().executorService().shutdown();
            balancers.close();
        }
    }
}
