package io.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A client stays on its server by a cookie. */
final class StickyTest extends ContainerTest {
    private static final String COOKIE =
            "sticky: {cookie: {name: lb, httpOnly: true, sameSite: lax, maxAge: 3600, secret: 0123456789abcdef}}";

    private static String cookieOf(RawMessage answer) {
        List<String> set = answer.values("Set-Cookie");
        String field = set.get(set.size() - 1);
        return "Cookie: other=1; " + field.substring(0, field.indexOf(';'));
    }

    private RawBackend named(String name) throws Exception {
        return backend(answer(200, name));
    }

    @Test
    void aClientComesBackToItsServer() throws Exception {
        proxy(service(
                "orders", COOKIE, named("a").url(), named("b").url(), named("c").url()));
        Set<String> servers = new HashSet<>();
        for (int i = 0; i < 3; i++) {
            RawMessage first = client().get("/");
            servers.add(first.body());
            for (int j = 0; j < 4; j++) {
                RawMessage again = client().get("/", cookieOf(first));
                assertThat(again.body()).isEqualTo(first.body());
                assertThat(again.values("Set-Cookie")).isEmpty();
            }
        }
        assertThat(servers).containsExactlyInAnyOrder("a", "b", "c");
    }

    @Test
    void theCookieHasItsAttributesAndTellsNothing() throws Exception {
        RawBackend backend = named("a");
        proxy(service("orders", COOKIE, backend.url()));

        String cookie = client().get("/").value("Set-Cookie");

        assertThat(cookie).matches("lb=[A-Za-z0-9_-]{32}; Path=/; Max-Age=3600; HttpOnly; SameSite=Lax");
        assertThat(cookie).doesNotContain(String.valueOf(backend.port()));
    }

    @Test
    void everyAttributeStandsInTheCookie() throws Exception {
        proxy(service(
                "orders",
                "sticky: {cookie: {name: lb, secure: true, httpOnly: true, sameSite: none, path: /shop,"
                        + " domain: shop.example, maxAge: 1m}}",
                named("a").url()));

        assertThat(client().get("/").value("Set-Cookie"))
                .matches("lb=[A-Za-z0-9_-]{32}; Path=/shop; Domain=shop.example; Max-Age=60; HttpOnly; Secure;"
                        + " SameSite=None");
    }

    /** Without a secret the key is made at the start: a cookie of before means nothing any more. */
    @Test
    void aCookieOfAnotherKeyIsBalancedAnewAndSetAnew() throws Exception {
        RawBackend backend = named("a");
        proxy(service("orders", "sticky: {cookie: {name: lb}}", backend.url()));
        RawMessage first = client().get("/");
        stopProxy();
        proxy(service("orders", "sticky: {cookie: {name: lb}}", backend.url()));

        RawMessage again = client().get("/", cookieOf(first));

        assertThat(again.body()).isEqualTo("a");
        assertThat(again.value("Set-Cookie")).startsWith("lb=").isNotEqualTo(first.value("Set-Cookie"));
        assertThat(client().get("/", cookieOf(again)).values("Set-Cookie")).isEmpty();
    }

    @Test
    void theServersOwnCookiesAreKept() throws Exception {
        RawBackend backend = backend(answer(200, "x", "Set-Cookie: session=1; Path=/", "Set-Cookie: theme=dark"));
        proxy(service("orders", COOKIE, backend.url()));

        List<String> cookies = client().get("/").values("Set-Cookie");

        assertThat(cookies).hasSize(3).contains("session=1; Path=/", "theme=dark");
        assertThat(cookies.get(2)).startsWith("lb=");
    }

    @Test
    void aForgedCookieIsBalancedAnewAndSetAnew() throws Exception {
        proxy(service("orders", COOKIE, named("a").url()));

        RawMessage answer = client().get("/", "Cookie: lb=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.value("Set-Cookie")).startsWith("lb=").doesNotContain("AAAAAAAAAAAA");
    }

    @Test
    void ofSeveralCookiesTheFirstCountsThatCanBeFollowedAndTheServerGetsAll() throws Exception {
        RawBackend a = named("a");
        RawBackend b = named("b");
        proxy(service("orders", COOKIE, a.url(), b.url()));
        RawMessage first = client().get("/");
        RawMessage second = client().get("/");
        assertThat(second.body()).isNotEqualTo(first.body());
        RawBackend had = first.body().equals("a") ? a : b;
        had.request();
        String cookies = "lb=of-a-path-before; lb=\"x\"; " + cookieOf(first).substring("Cookie: ".length()) + "; "
                + cookieOf(second).substring("Cookie: other=1; ".length());

        for (int i = 0; i < 3; i++) {
            RawMessage again = client().get("/", "Cookie: " + cookies);
            assertThat(again.body()).isEqualTo(first.body());
            assertThat(again.values("Set-Cookie")).isEmpty();
            assertThat(had.request().values("Cookie")).containsExactly(cookies);
        }
        balancers().get("orders").fence("127.0.0.1:" + had.port());
        assertThat(client().get("/", "Cookie: " + cookies).body()).isEqualTo(second.body());
    }

    @Test
    void aServerThatIsFencedOrGoneIsReplacedAndTheCookieSetAnew() throws Exception {
        RawBackend a = named("a");
        RawBackend b = named("b");
        proxy(service("orders", COOKIE, a.url(), b.url()));
        RawMessage first = client().get("/");
        RawBackend had = first.body().equals("a") ? a : b;
        balancers().get("orders").fence("127.0.0.1:" + had.port());

        RawMessage moved = client().get("/", cookieOf(first));

        assertThat(moved.body()).isNotEqualTo(first.body());
        assertThat(moved.values("Set-Cookie")).hasSize(1);
        balancers().get("orders").unfence("127.0.0.1:" + had.port());
        for (int i = 0; i < 3; i++) {
            assertThat(client().get("/", cookieOf(moved)).body()).isEqualTo(moved.body());
        }
    }

    @Test
    void aRetryGoesElsewhereAndTheCookieIsThatOfTheServerThatAnswered() throws Exception {
        RawBackend a = named("a");
        RawBackend b = named("b");
        proxy(service("orders", COOKIE, a.url(), b.url()));
        RawMessage first = client().get("/");
        RawBackend had = first.body().equals("a") ? a : b;
        had.close();

        RawMessage moved = client().exchange("PUT", "/", "x", "Content-Length: 1", cookieOf(first));

        assertThat(moved.status()).isEqualTo(200);
        assertThat(moved.body()).isNotEqualTo(first.body());
        assertThat(moved.values("Set-Cookie")).hasSize(1);
        assertThat(client().get("/", cookieOf(moved)).body()).isEqualTo(moved.body());
        awaitNothingInFlight();
    }

    @Test
    void aClientStaysWithOneServiceOfAWeightedOne() throws Exception {
        proxy("""
                http:
                  services:
                    a: {loadBalancer: {servers: [{url: "%s"}]}}
                    b: {loadBalancer: {servers: [{url: "%s"}]}}
                    canary:
                      weighted: {services: [{name: a}, {name: b}], sticky: {cookie: {}}}
                  routers:
                    all: {rule: "PathPrefix(`/`)", service: canary}
                """.formatted(named("a").url(), named("b").url()));
        RawMessage first = client().get("/");
        assertThat(first.value("Set-Cookie")).matches("_lb_[0-9a-f]{8}=[A-Za-z0-9_-]{32}; Path=/");
        for (int i = 0; i < 5; i++) {
            assertThat(client().get("/", cookieOf(first)).body()).isEqualTo(first.body());
        }
        Set<String> others = new HashSet<>();
        for (int i = 0; i < 4; i++) {
            others.add(client().get("/").body());
        }
        assertThat(others).containsExactlyInAnyOrder("a", "b");
    }

    @Test
    void anAnswerOfTheProxysOwnSetsNoCookie() throws Exception {
        proxy(service("orders", COOKIE, "http://127.0.0.1:" + RawBackend.refusedPort()));

        RawMessage answer = client().get("/");

        assertThat(answer.status()).isEqualTo(502);
        assertThat(answer.values("Set-Cookie")).isEmpty();
    }
}
