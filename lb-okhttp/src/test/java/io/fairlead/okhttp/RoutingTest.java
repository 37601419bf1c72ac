package io.fairlead.okhttp;

import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.Endpoint;
import io.fairlead.LoadBalancer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import mockwebserver3.MockResponse;
import okhttp3.Call;
import okhttp3.Callback;
import okhttp3.Cookie;
import okhttp3.CookieJar;
import okhttp3.HttpUrl;
import okhttp3.Request;
import okhttp3.Response;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which calls go where, and what the application and the servers see of it. */
class RoutingTest {
    private Backend a;
    private Backend b;

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

    @Test
    void callsByNameGoToTheServersInTurn() throws IOException {
        try (Orders orders = Orders.over(a.url(), b.url())) {
            List<String> answers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                answers.add(orders.text("http://orders/items"));
            }
            assertThat(answers).containsExactly("a", "b", "a", "b");
        }
    }

    @Test
    void everythingThatTheApplicationAndTheServerSeeIsLogical() throws IOException {
        Request request = new Request.Builder()
                .url("http://orders:1234/items?q=1")
                .tag(String.class, "mine")
                .build();
        try (Orders orders = Orders.over(a.url());
                Response response = orders.client.newCall(request).execute()) {
            assertThat(response.request()).isSameAs(request);
            assertThat(a.requests.get(0).getHeaders().get("Host")).isEqualTo("orders:1234");
            assertThat(a.requests.get(0).getTarget()).isEqualTo("/items?q=1");
        }
    }

    @Test
    void theNameIsComparedWithoutCaseAndAnyPortWillDo() throws IOException {
        LoadBalancer service = Orders.service("Orders", a.url());
        try (Orders orders = new Orders(UnaryOperator.identity(), service)) {
            assertThat(orders.text("http://ORDERS/")).isEqualTo("a");
            assertThat(orders.text("http://orders:65000/")).isEqualTo("a");
        }
    }

    @Test
    void aForeignHostIsLeftAloneDownToTheRequestObject() throws IOException {
        List<Request> below = new ArrayList<>();
        try (Orders orders = new Orders(
                builder -> builder.addInterceptor(chain -> {
                    below.add(chain.request());
                    return chain.proceed(chain.request());
                }),
                Orders.service("orders", a.url()))) {
            Request request = new Request.Builder().url(b.url() + "/x").build();
            try (Response response = orders.client.newCall(request).execute()) {
                assertThat(response.body().string()).isEqualTo("b");
            }
            assertThat(below).hasSize(1);
            assertThat(below.get(0)).isSameAs(request);
            assertThat(orders.picks()).isZero();
        }
    }

    @Test
    void eachServerKeepsOneConnection() throws IOException {
        try (Orders orders = Orders.over(a.url(), b.url())) {
            for (int i = 0; i < 10; i++) {
                orders.text("http://orders/");
            }
            assertThat(a.requests).hasSize(5);
            assertThat(b.requests).hasSize(5);
            assertThat(a.connections()).isEqualTo(1);
            assertThat(b.connections()).isEqualTo(1);
            assertThat(orders.client.connectionPool().connectionCount()).isEqualTo(2);
        }
    }

    @Test
    void aChangedWeightKeepsTheConnection() throws IOException {
        try (Orders orders = Orders.over(a.url())) {
            orders.text("http://orders/");
            orders.balancer.add(Endpoint.of(a.url(), 7));
            orders.text("http://orders/");
            assertThat(a.connections()).isEqualTo(1);
        }
    }

    @Test
    void aServerThatMovedUnderItsIdIsReachedAtItsNewAddress() throws IOException {
        LoadBalancer service = LoadBalancer.builder("orders")
                .endpoint(Endpoint.builder(a.url()).id("one").build())
                .build();
        try (Orders orders = new Orders(UnaryOperator.identity(), service)) {
            assertThat(orders.text("http://orders/")).isEqualTo("a");
            service.add(Endpoint.builder(b.url()).id("one").build());
            assertThat(orders.text("http://orders/")).isEqualTo("b");
        }
    }

    @Test
    void cookiesBelongToTheServiceWhicheverServerSetThem() throws IOException {
        a.answer = request -> new MockResponse.Builder()
                .addHeader("Set-Cookie", "session=from-a; Path=/")
                .body("a")
                .build();
        try (Orders orders = new Orders(
                builder -> builder.cookieJar(new MemoryCookieJar()), Orders.service("orders", a.url(), b.url()))) {
            orders.text("http://orders/");
            orders.text("http://orders/");
            assertThat(b.requests.get(0).getHeaders().get("Cookie")).isEqualTo("session=from-a");
        }
    }

    @Test
    void asynchronousCallsAreBalancedToo() throws Exception {
        try (Orders orders = Orders.over(a.url(), b.url())) {
            List<CompletableFuture<String>> answers = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                CompletableFuture<String> answer = new CompletableFuture<>();
                answers.add(answer);
                orders.client
                        .newCall(new Request.Builder().url("http://orders/").build())
                        .enqueue(new Callback() {
                            @Override
                            public void onFailure(Call call, IOException e) {
                                answer.completeExceptionally(e);
                            }

                            @Override
                            public void onResponse(Call call, Response response) throws IOException {
                                try (Response closing = response) {
                                    answer.complete(closing.body().string());
                                }
                            }
                        });
            }
            List<String> texts = new ArrayList<>();
            for (CompletableFuture<String> answer : answers) {
                texts.add(answer.get(10, TimeUnit.SECONDS));
            }
            assertThat(texts.stream().sorted().collect(toList()))
                    .containsExactly("a", "a", "a", "a", "b", "b", "b", "b");
        }
    }

    @Test
    void aStrategySeesTheRequest() throws IOException {
        List<String> seen = new ArrayList<>();
        LoadBalancer service = LoadBalancer.builder("orders")
                .endpoint(a.url())
                .endpoint(b.url())
                .strategy(new OwnStrategy((request, candidates) -> {
                    seen.add(request.method() + " " + request.host() + " " + request.path() + " " + request.query()
                            + " " + request.header("x-server") + " " + request.cookie("user"));
                    return candidates.get(Integer.parseInt(String.valueOf(request.header("X-Server"))));
                }))
                .build();
        Request request = new Request.Builder()
                .url("http://orders/a%20b?q=%2F")
                .header("X-Server", "1")
                .header("Cookie", "lang=de; user=\"7\"")
                .build();
        try (Orders orders = new Orders(UnaryOperator.identity(), service);
                Response response = orders.client.newCall(request).execute()) {
            assertThat(response.body().string()).isEqualTo("b");
            assertThat(seen).containsExactly("GET orders /a%20b q=%2F 1 7");
        }
    }

    @Test
    void aServiceWithoutServersFailsWithItsName() {
        try (Orders orders = Orders.over()) {
            assertThatThrownBy(() -> orders.get("http://orders/"))
                    .isInstanceOfSatisfying(
                            NoServerException.class,
                            e -> assertThat(e.service()).isEqualTo("orders"))
                    .hasMessageContaining("'orders'")
                    .hasCauseInstanceOf(io.fairlead.NoEndpointException.class);
        }
    }

    @Test
    void aStrategyThatThrowsFailsTheCallWithAnIoException() {
        LoadBalancer service = LoadBalancer.builder("orders")
                .endpoint(a.url())
                .strategy(new OwnStrategy((request, candidates) -> {
                    throw new IllegalStateException("no luck today");
                }))
                .build();
        try (Orders orders = new Orders(UnaryOperator.identity(), service)) {
            assertThatThrownBy(() -> orders.get("http://orders/"))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("'orders'")
                    .hasRootCauseMessage("no luck today");
        }
    }

    /** Keeps everything in memory. */
    private static final class MemoryCookieJar implements CookieJar {
        private final List<Cookie> cookies = new CopyOnWriteArrayList<>();

        @Override
        public void saveFromResponse(HttpUrl url, List<Cookie> set) {
            cookies.addAll(set);
        }

        @Override
        public List<Cookie> loadForRequest(HttpUrl url) {
            return cookies.stream().filter(cookie -> cookie.matches(url)).collect(toList());
        }
    }
}
