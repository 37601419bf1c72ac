package io.fairlead.okhttp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.LoadBalancer;
import io.fairlead.ReadyConnections;
import io.fairlead.ServiceSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Connections that are made before they are needed. */
class ReadyTest {
    private static final ReadyConnections ONCE = ReadyConnections.of("/ready", Duration.ofMinutes(1));
    private static final ReadyConnections OFTEN = ReadyConnections.of("/ready", Duration.ofMillis(20));

    private static Orders over(ServiceSettings settings, String... urls) {
        return over(settings, OFTEN, urls);
    }

    private static Orders over(ServiceSettings settings, ReadyConnections ready, String... urls) {
        io.fairlead.LoadBalancerBuilder builder =
                LoadBalancer.builder("orders").strategy("round-robin").settings(settings.withReadyConnections(ready));
        for (String url : urls) {
            builder.endpoint(url);
        }
        return new Orders(UnaryOperator.identity(), builder.build());
    }

    /** Closes each connection after so many answers. */
    private static RawServer closingAfter(int answers) throws IOException {
        return RawServer.running(connection -> {
            for (int i = 0; i < answers && connection.readRequest() != null; i++) {
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
            }
        });
    }

    @Test
    void theFirstCallFindsAConnection() throws IOException {
        for (boolean logical : new boolean[] {true, false}) {
            try (RawServer a = closingAfter(1000);
                    RawServer b = closingAfter(1000);
                    Orders orders = over(ServiceSettings.DEFAULT.withPassHostHeader(logical), ONCE, a.url(), b.url())) {
                orders.interceptor.keepReady(orders.client);
                await().until(() -> orders.client.connectionPool().idleConnectionCount() == 2);
                assertThat(a.requests.get(0).line).isEqualTo("HEAD /ready HTTP/1.1");
                orders.text("http://orders/items");
                orders.text("http://orders/items");
                assertThat(a.requests.get(1).line).isEqualTo("GET /items HTTP/1.1");
                assertThat(a.connections()).isEqualTo(1);
                assertThat(b.connections()).isEqualTo(1);
                assertThat(orders.picks())
                        .as("what keeps ready counts for nobody")
                        .isEqualTo(2);
            }
        }
    }

    @Test
    void oneThatTheServerClosesIsMadeAnew() throws IOException {
        try (RawServer a = closingAfter(1);
                Orders orders = over(ServiceSettings.DEFAULT, a.url())) {
            orders.interceptor.keepReady(orders.client);
            await().until(() -> a.connections() > 2);
            assertThat(orders.failures()).isZero();
        }
    }

    @Test
    void aServerThatIsDownIsNotBlamedAndNothingIsSentOnceTheyAreClosed() throws IOException {
        int sent;
        try (RawServer a = closingAfter(1000)) {
            try (Orders orders = over(ServiceSettings.DEFAULT, Orders.deadUrl(), a.url())) {
                orders.interceptor.keepReady(orders.client);
                await().until(() -> a.requests.size() > 2);
                assertThat(orders.failures()).isZero();
            }
            await().until(() -> Thread.getAllStackTraces().keySet().stream()
                    .noneMatch(thread -> thread.getName().equals("fairlead-ready")));
            sent = a.requests.size();
            assertThat(a.requests.size()).isEqualTo(sent);
        }
    }

    @Test
    void aServiceWhoseNameNoUrlCanHaveDoesNotKeepTheOthersFromTheirs() throws IOException {
        try (RawServer a = RawServer.answering("a");
                Orders orders = new Orders(
                        UnaryOperator.identity(),
                        LoadBalancer.builder("not a host")
                                .endpoint(a.url())
                                .readyConnections(OFTEN)
                                .build(),
                        LoadBalancer.builder("orders")
                                .endpoint(a.url())
                                .readyConnections(OFTEN)
                                .build())) {
            orders.interceptor.keepReady(orders.client);
            await().until(() -> a.requests.size() > 2);
            assertThat(a.requests)
                    .allSatisfy(request -> assertThat(request.header("Host")).isEqualTo("orders"));
        }
    }

    @Test
    void withoutTheOptionNothingIsSent() throws IOException {
        try (RawServer a = RawServer.answering("a");
                RawServer b = RawServer.answering("b");
                Orders orders = new Orders(
                        UnaryOperator.identity(),
                        Orders.service("orders", a.url()),
                        LoadBalancer.builder("spare")
                                .endpoint(b.url())
                                .readyConnections(OFTEN)
                                .build())) {
            orders.interceptor.keepReady(orders.client);
            await().until(() -> b.requests.size() > 2);
            assertThat(a.requests).isEmpty();
        }
    }
}
