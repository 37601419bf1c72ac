package io.fairlead.okhttp;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.Endpoint;
import io.fairlead.LoadBalancer;
import io.fairlead.ServiceSettings;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;
import okhttp3.Credentials;
import okhttp3.Request;
import okhttp3.Response;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Servers that pinning alone does not reach. */
class RewriteTest {
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

    private static LoadBalancer withOwnHosts(String... urls) {
        io.fairlead.LoadBalancerBuilder builder = LoadBalancer.builder("orders")
                .strategy("round-robin")
                .settings(ServiceSettings.DEFAULT.withPassHostHeader(false));
        for (String url : urls) {
            builder.endpoint(url);
        }
        return builder.build();
    }

    @Test
    void aBasePathIsPutBeforeTheRequestsPathAndTheAnswerIsLogical() throws IOException {
        LoadBalancer service = Orders.service("orders", a.url() + "/v1%2F2/");
        Request request = new Request.Builder().url("http://orders/a%20b?q=%2F").build();
        try (Orders orders = new Orders(UnaryOperator.identity(), service);
                Response response = orders.client.newCall(request).execute()) {
            assertThat(a.requests.get(0).getTarget()).isEqualTo("/v1%2F2/a%20b?q=%2F");
            assertThat(a.requests.get(0).getHeaders().get("Host")).isEqualTo("orders");
            assertThat(response.request()).isSameAs(request);
        }
    }

    @Test
    void withoutPassHostHeaderTheServerSeesItsOwnNameAndTheApplicationTheLogicalOne() throws IOException {
        Request request = new Request.Builder()
                .url("http://orders/x")
                .header("Host", "something.example")
                .build();
        try (Orders orders = new Orders(UnaryOperator.identity(), withOwnHosts(a.url()));
                Response response = orders.client.newCall(request).execute()) {
            assertThat(a.requests.get(0).getHeaders().get("Host")).isEqualTo("127.0.0.1:" + a.port());
            assertThat(response.request()).isSameAs(request);
        }
    }

    @Test
    void withoutPassHostHeaderRedirectsToTheServersOwnUrlAreLogicalAgain() throws IOException {
        a.answer = request -> Backend.redirect(a.url() + "/next");
        try (Orders orders = new Orders(UnaryOperator.identity(), withOwnHosts(a.url(), b.url()));
                Response response = orders.get("http://orders/start")) {
            assertThat(response.body().string()).isEqualTo("b");
            assertThat(response.request().url()).hasToString("http://orders/next");
        }
    }

    @Test
    void aHostFieldOfTheApplicationIsKept() throws IOException {
        Request request = new Request.Builder()
                .url("http://orders/x")
                .header("Host", "shop.example")
                .build();
        try (Orders orders = Orders.over(a.url());
                Response response = orders.client.newCall(request).execute()) {
            assertThat(response.code()).isEqualTo(200);
            assertThat(a.requests.get(0).getHeaders().get("Host")).isEqualTo("shop.example");
        }
    }

    @Test
    void aChallengeIsAnsweredToTheServerThatMadeIt() throws IOException {
        UnaryOperator<okhttp3.OkHttpClient.Builder> authenticating =
                builder -> builder.authenticator((route, response) -> response.request()
                        .newBuilder()
                        .header("Authorization", Credentials.basic("me", "secret"))
                        .build());
        a.answer = request -> request.getHeaders().get("Authorization") == null
                ? new mockwebserver3.MockResponse.Builder().code(401).build()
                : Backend.text("welcome");
        LoadBalancer service = LoadBalancer.builder("orders")
                .strategy("round-robin")
                .endpoint(Endpoint.of(a.url() + "/base"))
                .endpoint(b.url())
                .build();
        try (Orders orders = new Orders(authenticating, service);
                Response response = orders.get("http://orders/x")) {
            assertThat(response.body().string()).isEqualTo("welcome");
            assertThat(response.request().url()).hasToString("http://orders/x");
            assertThat(response.request().header("Authorization")).isNotNull();
            assertThat(response.priorResponse()).isNotNull();
            assertThat(response.priorResponse().request().url()).hasToString("http://orders/x");
            assertThat(orders.picks()).isEqualTo(1);
            assertThat(b.requests).isEmpty();
        }
    }

    @Test
    void aServerBehindTheClientsProxyIsReachedThroughIt() throws IOException {
        // Two servers in one: as a proxy it is sent the whole URL.
        Proxy proxy =
                new Proxy(Proxy.Type.HTTP, new InetSocketAddress(java.net.InetAddress.getLoopbackAddress(), b.port()));
        List<URI> asked = new ArrayList<>();
        ProxySelector selector = new ProxySelector() {
            @Override
            public List<Proxy> select(URI uri) {
                asked.add(uri);
                return Collections.singletonList(uri.getPort() == a.port() ? proxy : Proxy.NO_PROXY);
            }

            @Override
            public void connectFailed(URI uri, SocketAddress address, IOException e) {
                throw new AssertionError(uri + " by " + address, e);
            }
        };
        try (Backend direct = Backend.named("direct");
                Orders orders = new Orders(
                        builder -> builder.proxySelector(selector), Orders.service("orders", a.url(), direct.url()))) {
            try (Response response = orders.get("http://orders/x")) {
                assertThat(response.body().string()).isEqualTo("b");
                assertThat(response.request().url()).hasToString("http://orders/x");
            }
            assertThat(b.requests.get(0).getRequestLine()).isEqualTo("GET " + a.url() + "/x HTTP/1.1");
            assertThat(orders.text("http://orders/y")).isEqualTo("direct");
            assertThat(direct.requests.get(0).getRequestLine()).isEqualTo("GET /y HTTP/1.1");
            assertThat(asked).allSatisfy(uri -> assertThat(uri.getHost()).isEqualTo("127.0.0.1"));
        }
    }
}
