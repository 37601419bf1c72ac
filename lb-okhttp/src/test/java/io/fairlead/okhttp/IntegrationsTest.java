package io.fairlead.okhttp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import feign.Feign;
import feign.RequestLine;
import io.fairlead.Endpoint;
import io.fairlead.LoadBalancer;
import io.fairlead.LoadBalancers;
import io.fairlead.ReadyConnections;
import io.fairlead.retry.HedgePolicy;
import io.fairlead.retry.RetryPolicy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import okhttp3.Call;
import okhttp3.EventListener;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.ResponseBody;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.http.client.OkHttp3ClientHttpRequestFactory;
import org.springframework.web.client.RestTemplate;
import retrofit2.Retrofit;
import retrofit2.http.GET;

/** What docs/okhttp.md shows: {@link OkHttpPageTest} holds the two together. */
class IntegrationsTest {
    private Backend a;
    private Backend b;

    @TempDir
    Path directory;

    @BeforeEach
    void start() throws IOException {
        a = Backend.named("a");
        b = Backend.named("b");
    }

    @AfterEach
    void stop() {
        a.close();
        b.close();
    }

    private LoadBalancers balancers() {
        return LoadBalancers.of(Orders.service("orders", a.url(), b.url()));
    }

    private static OkHttpClient client(LoadBalancers balancers) {
        return new OkHttpClient.Builder()
                .addInterceptor(LoadBalancingInterceptor.of(balancers))
                .build();
    }

    @Test
    void withAFile() throws IOException {
        String yaml = "http: {services: {orders: {loadBalancer: {strategy: round-robin, servers: [{url: \"" + a.url()
                + "\"}, {url: \"" + b.url() + "\"}]}}}}";
        Path file = Files.write(directory.resolve("lb.yaml"), yaml.getBytes(StandardCharsets.UTF_8));
        List<String> answers = new ArrayList<>();

        try (LoadBalancers balancers = LoadBalancers.load(file)) {
            OkHttpClient client = new OkHttpClient.Builder()
                    .addInterceptor(LoadBalancingInterceptor.of(balancers))
                    .build();
            Request request = new Request.Builder().url("http://orders/items/7").build();
            try (Response response = client.newCall(request).execute()) {
                answers.add(response.body().string());
            }
        }

        assertThat(answers).containsExactly("a");
        assertThat(a.requests.get(0).getTarget()).isEqualTo("/items/7");
    }

    @Test
    void withoutAFile() throws IOException {
        String one = a.url();
        String two = b.url();

        LoadBalancer orders = LoadBalancer.builder("orders")
                .endpoint(one)
                .endpoint(Endpoint.builder(two).weight(5).zone("eu-1").build())
                .strategy("peak-ewma")
                .retry(RetryPolicy.builder()
                        .attempts(4)
                        .perTryTimeout(Duration.ofSeconds(2))
                        .build())
                .hedge(HedgePolicy.builder().minDelay(Duration.ofMillis(20)).build())
                .build();
        try (LoadBalancers balancers = LoadBalancers.of(orders)) {
            OkHttpClient client = new OkHttpClient.Builder()
                    .addInterceptor(LoadBalancingInterceptor.of(balancers))
                    .build();
            Request request = new Request.Builder().url("http://orders/").build();
            try (Response response = client.newCall(request).execute()) {
                assertThat(response.body().string()).isIn("a", "b");
            }
        }

        assertThat(a.requests.size() + b.requests.size()).isEqualTo(1);
    }

    /** Retrofit's way to describe a service. */
    interface OrdersOfRetrofit {
        @GET("items/{id}")
        retrofit2.Call<ResponseBody> item(@retrofit2.http.Path("id") String id);
    }

    @Test
    void withRetrofit() throws IOException {
        try (LoadBalancers balancers = balancers()) {
            OkHttpClient client = client(balancers);

            Retrofit retrofit = new Retrofit.Builder()
                    .baseUrl("http://orders/")
                    .client(client)
                    .build();
            OrdersOfRetrofit orders = retrofit.create(OrdersOfRetrofit.class);

            assertThat(orders.item("7").execute().body().string()).isEqualTo("a");
            assertThat(orders.item("8").execute().body().string()).isEqualTo("b");
            assertThat(b.requests.get(0).getTarget()).isEqualTo("/items/8");
        }
    }

    /** Feign's. */
    interface OrdersOfFeign {
        @RequestLine("GET /items/{id}")
        String item(@feign.Param("id") String id);
    }

    @Test
    void withFeign() {
        try (LoadBalancers balancers = balancers()) {
            OkHttpClient client = client(balancers);

            OrdersOfFeign orders = Feign.builder()
                    .client(new feign.okhttp.OkHttpClient(client))
                    .retryer(feign.Retryer.NEVER_RETRY)
                    .target(OrdersOfFeign.class, "http://orders");

            assertThat(orders.item("7")).isEqualTo("a");
            assertThat(orders.item("8")).isEqualTo("b");
            assertThat(b.requests.get(0).getTarget()).isEqualTo("/items/8");
        }
    }

    @Test
    void withSpringsRestTemplate() {
        try (LoadBalancers balancers = balancers()) {
            OkHttpClient client = client(balancers);

            RestTemplate rest = new RestTemplate(new OkHttp3ClientHttpRequestFactory(client));
            String item = rest.getForObject("http://orders/items/{id}", String.class, 7);

            assertThat(item).isEqualTo("a");
            assertThat(a.requests.get(0).getTarget()).isEqualTo("/items/7");
        }
    }

    @Test
    void withAListenerThatCountsByServer() throws IOException {
        List<String> log = new ArrayList<>();
        try (LoadBalancers balancers = balancers()) {
            EventListener listener = new EventListener() {
                @Override
                public void responseHeadersEnd(Call call, Response response) {
                    Endpoint server = EndpointTag.of(call);
                    log.add(response.code() + " of " + (server == null ? "elsewhere" : server.id()));
                }
            };
            OkHttpClient client =
                    client(balancers).newBuilder().eventListener(listener).build();
            client.newCall(new Request.Builder().url("http://orders/").build())
                    .execute()
                    .close();
            client.newCall(new Request.Builder().url(b.url()).build()).execute().close();
        }
        assertThat(log).containsExactly("200 of 127.0.0.1:" + a.port(), "200 of elsewhere");
    }

    @Test
    void withReadyConnections() {
        LoadBalancer orders = LoadBalancer.builder("orders")
                .endpoint(a.url())
                .readyConnections(ReadyConnections.DEFAULT)
                .build();
        try (LoadBalancers balancers = LoadBalancers.of(orders)) {
            LoadBalancingInterceptor interceptor = LoadBalancingInterceptor.of(balancers);
            OkHttpClient client =
                    new OkHttpClient.Builder().addInterceptor(interceptor).build();
            interceptor.keepReady(client);
            await().until(() -> client.connectionPool().idleConnectionCount() == 1);
        }
    }
}
