package io.fairlead.okhttp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.Endpoint;
import io.fairlead.LoadBalancer;
import java.io.IOException;
import java.net.ProtocolException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import okhttp3.Request;
import okhttp3.Response;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Where redirects lead. */
class RedirectTest {
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

    private static void redirecting(Backend from, String location) {
        from.answer =
                request -> request.getTarget().equals("/start") ? Backend.redirect(location) : Backend.text(from.name);
    }

    @Test
    void aRelativeRedirectIsBalancedAgain() throws IOException {
        redirecting(a, "next?x=1");
        try (Orders orders = Orders.over(a.url(), b.url());
                Response response = orders.get("http://orders/start")) {
            assertThat(response.body().string()).isEqualTo("b");
            assertThat(response.request().url()).hasToString("http://orders/next?x=1");
            assertThat(b.requests.get(0).getHeaders().get("Host")).isEqualTo("orders");
            assertThat(orders.picks()).isEqualTo(2);
        }
    }

    @Test
    void anAbsoluteRedirectToTheLogicalNameIsBalancedAgain() throws IOException {
        redirecting(a, "http://orders/next");
        try (Orders orders = Orders.over(a.url(), b.url())) {
            assertThat(orders.text("http://orders/start")).isEqualTo("b");
        }
    }

    @Test
    void aRedirectToAnotherServiceGoesToThatService() throws IOException {
        redirecting(a, "http://payments/next");
        LoadBalancer payments = Orders.service("payments", b.url());
        try (Orders orders = new Orders(UnaryOperator.identity(), Orders.service("orders", a.url()), payments)) {
            assertThat(orders.text("http://orders/start")).isEqualTo("b");
            assertThat(b.requests.get(0).getHeaders().get("Host")).isEqualTo("payments");
            assertThat(payments.snapshot().endpoints().get(0).picks()).isEqualTo(1);
            assertThat(payments.snapshot().endpoints().get(0).inFlight()).isZero();
        }
    }

    @Test
    void aRedirectToAnotherHostIsLeftAlone() throws IOException {
        redirecting(a, b.url() + "/next");
        try (Orders orders = Orders.over(a.url());
                Response response = orders.get("http://orders/start")) {
            assertThat(response.body().string()).isEqualTo("b");
            assertThat(response.request().url()).hasToString(b.url() + "/next");
            assertThat(b.requests.get(0).getHeaders().get("Host")).isEqualTo("127.0.0.1:" + b.port());
            assertThat(orders.picks()).isEqualTo(1);
            assertThat(orders.inFlight()).isZero();
        }
    }

    @Test
    void aRedirectThatComesBackFromAnotherHostIsBalancedAgain() throws IOException {
        redirecting(a, b.url() + "/start");
        redirecting(b, "http://orders/home");
        try (Orders orders = Orders.over(a.url())) {
            assertThat(orders.text("http://orders/start")).isEqualTo("a");
            assertThat(orders.picks()).isEqualTo(2);
        }
    }

    @Test
    void theRedirectsBeforeAnAnswerAreItsPriorResponses() throws IOException {
        redirecting(a, "/start"); // b's turn
        redirecting(b, "/next");
        try (Orders orders = Orders.over(a.url(), b.url());
                Response response = orders.get("http://orders/start")) {
            Response second = response.priorResponse();
            assertThat(second).isNotNull();
            assertThat(second.code()).isEqualTo(302);
            assertThat(second.header("Location")).isEqualTo("/next");
            Response first = second.priorResponse();
            assertThat(first).isNotNull();
            assertThat(first.header("Location")).isEqualTo("/start");
            assertThat(first.priorResponse()).isNull();
        }
    }

    @Test
    void eachHopReallyReachesTheServerThatWasPickedForIt() throws IOException {
        a.answer = request -> Backend.redirect("/again");
        b.answer = request -> b.requests.size() < 4 ? Backend.redirect("/again") : Backend.text("done");
        try (Orders orders = Orders.over(a.url(), b.url())) {
            assertThat(orders.text("http://orders/start")).isEqualTo("done");
            assertThat(a.requests).hasSize(4);
            assertThat(b.requests).hasSize(4);
            assertThat(a.requests)
                    .allSatisfy(request ->
                            assertThat(request.getHeaders().get("Host")).isEqualTo("orders"));
            assertThat(b.requests)
                    .allSatisfy(request ->
                            assertThat(request.getHeaders().get("Host")).isEqualTo("orders"));
        }
    }

    @Test
    void credentialsStayWithTheLogicalHostAndLeaveForNoOther() throws IOException {
        Request start = new Request.Builder()
                .url("http://orders/start")
                .header("Authorization", "Basic me")
                .build();
        redirecting(a, "/start");
        redirecting(b, "/next");
        try (Orders orders = Orders.over(a.url(), b.url());
                Response response = orders.client.newCall(start).execute()) {
            assertThat(response.body().string()).isEqualTo("a");
            assertThat(a.requests.get(1).getHeaders().get("Authorization")).isEqualTo("Basic me");
        }
        redirecting(a, b.url() + "/next");
        try (Orders orders = Orders.over(a.url());
                Response response = orders.client.newCall(start).execute()) {
            assertThat(response.body().string()).isEqualTo("b");
            assertThat(b.requests.get(b.requests.size() - 1).getHeaders().get("Authorization"))
                    .isNull();
        }
    }

    @Test
    void aRedirectOfARewrittenRequestIsLogicalAgain() throws IOException {
        a.answer = request -> request.getTarget().equals("/base/start")
                ? Backend.redirect("/base/next")
                : Backend.text(request.getTarget());
        LoadBalancer service = LoadBalancer.builder("orders")
                .endpoint(Endpoint.of(a.url() + "/base"))
                .build();
        try (Orders orders = new Orders(UnaryOperator.identity(), service);
                Response response = orders.get("http://orders/start")) {
            assertThat(response.body().string()).isEqualTo("/base/next");
            assertThat(response.request().url()).hasToString("http://orders/next");
            assertThat(response.priorResponse()).isNotNull();
            assertThat(response.priorResponse().request().url()).hasToString("http://orders/start");
        }
    }

    @Test
    void redirectsUseTheirConnectionsAgain() throws IOException {
        redirecting(a, "/next");
        redirecting(b, "/next");
        try (Orders orders = Orders.over(a.url(), b.url())) {
            for (int i = 0; i < 20; i++) {
                orders.text("http://orders/start");
            }
            // Where a redirect leads on to the other server it goes by a connection of its own.
            assertThat(a.connections()).isLessThanOrEqualTo(2);
            assertThat(b.connections()).isLessThanOrEqualTo(2);
        }
    }

    @Test
    void aClientThatDoesNotFollowRedirectsGetsThem() throws IOException {
        redirecting(a, "http://orders/next");
        try (Orders orders = new Orders(builder -> builder.followRedirects(false), Orders.service("orders", a.url()));
                Response response = orders.get("http://orders/start")) {
            assertThat(response.code()).isEqualTo(302);
            assertThat(response.body().string()).isEqualTo("see there");
        }
    }

    @Test
    void aRedirectInACircleEnds() {
        a.answer = request -> Backend.redirect("/again");
        try (Orders orders = Orders.over(a.url())) {
            assertThatThrownBy(() -> orders.get("http://orders/start"))
                    .isInstanceOf(ProtocolException.class)
                    .hasMessage("Too many follow-up requests: 21");
            assertThat(a.requests).hasSize(21);
            assertThat(orders.inFlight()).isZero();
            assertThat(orders.failures()).isZero();
        }
    }

    @Test
    void interceptorsAfterOursSeeEachHop() throws IOException {
        redirecting(a, "http://orders/next");
        List<String> urls = new ArrayList<>();
        try (Orders orders = new Orders(
                builder -> builder.addInterceptor(chain -> {
                    urls.add(
                            chain.request().url().host() + chain.request().url().encodedPath());
                    return chain.proceed(chain.request());
                }),
                Orders.service("orders", a.url(), b.url()))) {
            orders.text("http://orders/start");
            assertThat(urls).containsExactly("orders/start", "orders/next");
        }
    }
}
