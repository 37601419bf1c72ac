package io.fairlead.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.fairlead.Endpoint;
import io.fairlead.LoadBalancer;
import io.fairlead.RequestFacts;
import io.fairlead.observe.EndpointSnapshot;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Checks over real sockets. */
final class HealthCheckTest {
    private final AtomicInteger status = new AtomicInteger(200);
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private HttpServer server;
    private LoadBalancer balancer;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            asked.add(exchange.getRequestURI() + " "
                    + exchange.getRequestHeaders().getFirst("Host"));
            exchange.sendResponseHeaders(status.get(), -1);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
        if (balancer != null) {
            balancer.close();
        }
    }

    @Test
    void takesAServerOutWhenItsAnswersAreErrorsAndBackWhenTheyAreNot() {
        balance(check -> check.path("/healthz?deep=1").fall(2).rise(2));
        await().until(() -> asked.size() >= 3);
        assertThat(asked).containsOnly("/healthz?deep=1 127.0.0.1:" + port());
        assertThat(endpoint().up()).isTrue();
        status.set(500);
        await().until(() -> !endpoint().up());
        await().until(() -> !balancer.isUp());
        assertThat(balancer.tryPick(RequestFacts.NONE, io.fairlead.Tried.NONE)).isNull();
        assertThat(endpoint().lastError()).contains("/healthz?deep=1").contains("500");
        status.set(302);
        await().until(() -> endpoint().up());
    }

    @Test
    void sendsTheHostThatIsConfigured() {
        balance(check -> check.path("/").hostname("orders.example"));
        await().until(() -> asked.contains("/ orders.example"));
    }

    @Test
    void withoutAPathAConnectionIsEnough() {
        balance(check -> check.fall(1).rise(1));
        status.set(500);
        int port = port();
        server.stop(0);
        await().until(() -> !endpoint().up());
        assertThat(asked).isEmpty();
        await().untilAsserted(() -> {
            // The port may be slow to become free.
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        });
        server.start();
        await().until(() -> endpoint().up());
    }

    @Test
    void aServerThatAcceptsAndIsSilentFailsByTheTimeout() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            balancer = LoadBalancer.builder("orders")
                    .endpoint("http://127.0.0.1:" + silent.getLocalPort())
                    .healthCheck(HealthCheck.builder()
                            .path("/")
                            .interval(Duration.ofMillis(20))
                            .timeout(Duration.ofMillis(50))
                            .fall(2)
                            .build())
                    .build();
            await().until(() -> !endpoint().up());
            assertThat(endpoint().lastError()).containsIgnoringCase("timed out");
        }
    }

    @Test
    void checksFollowTheListAndEndWithClose() {
        balance(check -> check.path("/first"));
        await().until(() -> !asked.isEmpty());
        balancer.remove("127.0.0.1:" + port());
        awaitSilence();
        balancer.add(Endpoint.builder("http://127.0.0.1:" + port()).id("again").build());
        await().until(() -> asked.size() >= 2);
        balancer.close();
        awaitSilence();
    }

    /** A check that is under way may still arrive; after that, none for ten intervals. */
    private void awaitSilence() {
        await().during(Duration.ofMillis(200)).atMost(Duration.ofSeconds(10)).until(() -> {
            boolean silent = asked.isEmpty();
            asked.clear();
            return silent;
        });
    }

    private void balance(Consumer<HealthCheck.Builder> settings) {
        HealthCheck.Builder check = HealthCheck.builder().interval(Duration.ofMillis(20));
        settings.accept(check);
        balancer = LoadBalancer.builder("orders")
                .endpoint("http://127.0.0.1:" + port())
                .healthCheck(check.build())
                .build();
    }

    private int port() {
        return server.getAddress().getPort();
    }

    private EndpointSnapshot endpoint() {
        return balancer.snapshot().endpoints().get(0);
    }
}
