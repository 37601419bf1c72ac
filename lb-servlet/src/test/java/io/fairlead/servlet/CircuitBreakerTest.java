package io.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.LoadBalancers;
import io.fairlead.servlet.containers.Container;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code circuitBreaker}. */
final class CircuitBreakerTest extends ContainerTest {
    private static String config(String url, String more) {
        return """
                http:
                  routers:
                    one: {rule: "PathPrefix(`/`)", service: orders, middlewares: [breaker]}
                    two: {rule: "PathPrefix(`/two`)", service: orders, middlewares: [breaker]}
                  middlewares:
                    breaker: {circuitBreaker: {expression: "NetworkErrorRatio() > 0.5 || ResponseCodeRatio(500, 600, 0, 600) > 0.5", checkPeriod: 1ms%s}}
                  services:
                    orders: {loadBalancer: {servers: [{url: "%s"}]}}
                """.formatted(more, url);
    }

    @Test
    void aServiceThatFailsIsLeftAloneForAWhile() throws Exception {
        AtomicBoolean failing = new AtomicBoolean(true);
        RawBackend backend = backend(peer -> {
            while (peer.readRequest()) {
                peer.write(answer(failing.get() ? 500 : 200, "x"));
            }
        });
        proxy(config(backend.url(), ", fallbackDuration: 300ms, recoveryDuration: 1ms, responseCode: 429"));

        Awaitility.await().until(() -> client().get("/").status() == 429);
        RawMessage refused = client().get("/");
        assertThat(refused.value("Content-Type")).isEqualTo("application/problem+json");
        assertThat(refused.value("Retry-After")).isEqualTo("1");
        int asked = backend.connections();
        assertThat(client().get("/").status()).isEqualTo(429);
        assertThat(backend.connections()).isEqualTo(asked);
        // Each router has a breaker of its own.
        assertThat(client().get("/two").status()).isEqualTo(500);
        failing.set(false);
        Awaitility.await().until(() -> client().get("/").status() == 200);
    }

    @Test
    void theServicesOwnBreakerSaysWhenToComeAgain() throws Exception {
        RawBackend backend = backend(peer -> {
            while (peer.readRequest()) {
                peer.write(answer(503, "the server's"));
            }
        });
        proxy(service(
                "orders", "circuitBreaker: {failurePercent: 50, minRequests: 2, openDuration: 9s}", backend.url()));

        Awaitility.await().until(() -> !client().get("/").body().equals("the server's"));
        RawMessage refused = client().get("/");
        assertThat(refused.status()).isEqualTo(503);
        assertThat(Integer.parseInt(refused.value("Retry-After"))).isBetween(1, 9);
    }

    @Test
    void itStaysOpenWhenTheFileIsLoadedAnewAndItsOwnPartIsTheSame(@TempDir Path directory) throws Exception {
        RawBackend backend = backend(answer(500, "x"));
        Path file = Files.writeString(directory.resolve("lb.yaml"), config(backend.url(), ""));
        LoadBalancers balancers = closing(LoadBalancers.load(file));
        Container container = Container.start(new ProxyFilter(balancers), Map.of(), "");
        closing(container::stop);
        Awaitility.await().until(() -> status(container) == 503);

        replace(
                file,
                config(backend.url(), "") + "    more: {loadBalancer: {servers: [{url: \"http://127.0.0.1:1\"}]}}\n");
        Awaitility.await().until(() -> balancers.get("more") != null);
        assertThat(status(container)).isEqualTo(503);

        replace(file, config(backend.url(), ", fallbackDuration: 11s"));
        Awaitility.await().until(() -> balancers.get("more") == null);
        assertThat(status(container)).isEqualTo(500);
    }

    private static int status(Container container) throws Exception {
        try (RawClient client = new RawClient(container.port())) {
            return client.get("/").status();
        }
    }

    private static void replace(Path file, String content) throws Exception {
        Path next = Files.writeString(file.resolveSibling("next.yaml"), content);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
