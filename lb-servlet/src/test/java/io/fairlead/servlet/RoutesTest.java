package io.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.LoadBalancer;
import io.fairlead.LoadBalancers;
import io.fairlead.servlet.containers.Container;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which request goes where, and where the configuration comes from. */
final class RoutesTest extends ContainerTest {
    private String twoServices(RawBackend orders, RawBackend shop) {
        return """
                http:
                  routers:
                    orders: {rule: "PathPrefix(`/orders`)", service: orders, middlewares: [strip]}
                    shop: {rule: "Host(`shop.example`)", service: shop}
                  middlewares:
                    strip: {stripPrefix: {prefixes: ["/orders"]}}
                  services:
                    orders: {loadBalancer: {servers: [{url: "%s"}]}}
                    shop: {loadBalancer: {servers: [{url: "%s"}]}}
                """.formatted(orders.url(), shop.url());
    }

    @Test
    void requestsGoToTheServiceOfTheirRouter() throws Exception {
        RawBackend orders = backend(answer(200, "orders"));
        RawBackend shop = backend(answer(200, "shop"));
        proxy(twoServices(orders, shop));

        assertThat(client().get("/orders/1", "Host: any.example").body()).isEqualTo("orders");
        assertThat(client().get("/x", "Host: SHOP.example:99").body()).isEqualTo("shop");
        // At the boundary of a segment only.
        assertThat(client().get("/ordersx", "Host: any.example").body()).isEqualTo(Container.APPLICATION);
    }

    @Test
    void aRequestThatNoRouterMatchesGoesOnDownTheChain() throws Exception {
        RawBackend backend = backend(answer(200, "x"));
        proxy(twoServices(backend, backend));

        assertThat(client().get("/elsewhere", "Host: any.example").body()).isEqualTo(Container.APPLICATION);
        assertThat(client().exchange("POST", "/elsewhere", "a=1", "Host: any.example", "Content-Length: 3")
                        .body())
                .isEqualTo(Container.APPLICATION);
        assertThat(backend.connections()).isZero();
    }

    @Test
    void aPrefixIsStrippedAndTold() throws Exception {
        RawBackend orders = backend(answer(200, "x"));
        proxy(twoServices(orders, orders));

        client().get("/orders/a%20b/?q=1");
        client().get("/orders");
        client().get("/%6Frders/c");

        RawMessage request = orders.request();
        assertThat(request.target()).isEqualTo("/a%20b/?q=1");
        assertThat(request.value("X-Forwarded-Prefix")).isEqualTo("/orders");
        assertThat(orders.request().target()).isEqualTo("/");
        assertThat(orders.request().target()).isEqualTo("/c");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/admin/x",
                "/./admin/x",
                "//admin/x",
                "/admin;a=1/x",
                "/admin%3ba/x",
                "/;a/admin/x",
                "/admin%2fx",
                "/admin%5cx",
                "/%2fadmin/x",
                "/%61dmin/x",
                "/%2e/admin/x",
            })
    void noSpellingOfAPathGetsAroundARule(String target) throws Exception {
        RawBackend app = backend(answer(200, "leaked"));
        proxy("""
                http:
                  routers:
                    admin: {rule: "PathPrefix(`/admin`) && ClientIP(`10.0.0.0/8`)", service: app}
                    rest: {rule: "!PathPrefix(`/admin`)", service: app}
                  services:
                    app: {loadBalancer: {servers: [{url: "%s"}]}}
                """.formatted(app.url()));

        RawMessage answer = client().get(target);

        // Some containers refuse some of them before.
        assertThat(answer.status() == 400 || answer.body().equals(Container.APPLICATION))
                .as(answer.toString())
                .isTrue();
        assertThat(app.connections()).isZero();
        assertThat(client().get("/administrator;a=1/./x").body()).isEqualTo("leaked");
        assertThat(app.request().target()).isEqualTo("/administrator;a=1/./x");
    }

    @Test
    void aPrefixThatServersCouldReadOtherwiseIsNotStripped() throws Exception {
        RawBackend orders = backend(answer(200, "x"));
        proxy(twoServices(orders, orders));

        assertThat(client().get("/orders%2fx").status()).isEqualTo(400);
        assertThat(orders.connections()).isZero();
        assertThat(client().get("/orders;v=1//x").status()).isEqualTo(200);
        assertThat(orders.request().target()).isEqualTo("//x");
    }

    @Test
    void pathsAreTakenWithinTheWebApplication() throws Exception {
        RawBackend orders = backend(answer(200, "x"));
        proxy(twoServices(orders, orders), Map.of(), "/app");

        assertThat(client().get("/app/orders/1").status()).isEqualTo(200);

        assertThat(orders.request().target()).isEqualTo("/1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/my%20app/orders/1",
                "/m%79%20app/orders/1",
                "/my%20app;v=1/orders/1",
                "//my%20app/orders/1",
                "/./my%20app/orders/1"
            })
    void theWebApplicationIsFoundInEverySpellingOfItsPath(String target) throws Exception {
        RawBackend orders = backend(answer(200, "x"));
        proxy(twoServices(orders, orders), Map.of(), "/my app");

        int status = client().get(target).status();

        // What the container does not take for the application's path is not ours.
        assertThat(status).isIn(200, 400, 404);
        if (status == 200) {
            assertThat(orders.request().target()).isEqualTo("/1");
        } else {
            assertThat(target).isNotEqualTo("/my%20app/orders/1");
        }
    }

    @Test
    void withoutRoutersTheOnlyServiceGetsEverything() throws Exception {
        RawBackend backend = backend(answer(200, "x"));
        LoadBalancers byHand = closing(LoadBalancers.of(
                LoadBalancer.builder("orders").endpoint(backend.url()).build()));
        Container container = Container.start(new ProxyFilter(byHand), Map.of(), "");
        closing(container::stop);

        try (RawClient client = new RawClient(container.port())) {
            assertThat(client.get("/any/thing").body()).isEqualTo("x");
        }
    }

    @Test
    void theInitParamNamesAFile(@TempDir Path directory) throws Exception {
        RawBackend backend = backend(answer(200, "from the file"));
        Path file = Files.writeString(directory.resolve("lb.yaml"), service("orders", "", backend.url()));
        Container container = Container.start(new ProxyFilter(), Map.of("config", file.toString()), "");
        closing(container::stop);

        try (RawClient client = new RawClient(container.port())) {
            assertThat(client.get("/").body()).isEqualTo("from the file");
        }
    }

    @Test
    void theInitParamNamesAResourceOfTheClassPath() throws Exception {
        Container container = Container.start(new ProxyFilter(), Map.of("config", "classpath:refused.yaml"), "");
        closing(container::stop);

        try (RawClient client = new RawClient(container.port())) {
            assertThat(client.get("/").status()).isEqualTo(503);
        }
    }

    @Test
    void aWrongConfigurationFailsTheStartWithItsLines(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("lb.yaml"), """
                http:
                  routers:
                    one: {rule: "PathPrefix(`x`)", service: nobody}
                  services:
                    orders: {loadBalancer: {servers: [{url: "http://127.0.0.1:1"}]}}
                """);

        if (Container.isTomcat()) {
            // Tomcat logs what the filter said, and does not start the application.
            assertThatThrownBy(() -> Container.start(new ProxyFilter(), Map.of("config", file.toString()), ""))
                    .isInstanceOf(Exception.class);
        } else {
            assertThatThrownBy(() -> Container.start(new ProxyFilter(), Map.of("config", file.toString()), ""))
                    .hasStackTraceContaining(file + ":3: http.routers.one.rule: ")
                    .hasStackTraceContaining(file + ":3: http.routers.one.service: there is no service 'nobody'");
        }
    }

    @Test
    void aMissingConfigurationFailsTheStart() {
        assertThatThrownBy(() -> Container.start(new ProxyFilter(), Map.of("config", "/nowhere/lb.yaml"), ""))
                .isInstanceOf(Exception.class);
        assertThatThrownBy(() -> Container.start(new ProxyFilter(), Map.of(), ""))
                .isInstanceOf(Exception.class);
    }

    @Test
    void moreRequestsThanConnectionsWaitAndAreThenServed() throws Exception {
        RawBackend backend = backend(answer(200, "x"));
        proxy(service("orders", "", backend.url()), Map.of("maxConnections", "1"), "");

        RawClient one = client();
        RawClient two = client();
        for (int i = 0; i < 20; i++) {
            one.send("GET", "/");
            two.send("GET", "/");
            assertThat(one.read("GET").body()).isEqualTo("x");
            assertThat(two.read("GET").body()).isEqualTo("x");
        }

        assertThat(backend.connections()).isEqualTo(1);
    }

    @Test
    void aRequestThatGetsNoConnectionInTimeIs503WithRetryAfter() throws Exception {
        RawBackend backend = backend(peer -> {
            peer.readRequest();
            peer.in().read();
        });
        proxy("""
                http:
                  serversTransports:
                    quick: {forwardingTimeouts: {dialTimeout: 300ms}}
                  services:
                    orders: {loadBalancer: {serversTransport: quick, servers: [{url: "%s"}]}}
                """.formatted(backend.url()), Map.of("maxConnections", "1"), "");

        client().send("GET", "/first");
        backend.request();
        RawMessage answer = client().get("/second");

        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.value("Retry-After")).isEqualTo("1");
        assertThat(balancers()
                        .all()
                        .iterator()
                        .next()
                        .snapshot()
                        .endpoints()
                        .get(0)
                        .failures())
                .isZero();
    }
}
