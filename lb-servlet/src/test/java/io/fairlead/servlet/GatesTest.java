package io.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The middlewares that look at requests, in a container. */
final class GatesTest extends ContainerTest {
    private static String configuration(RawBackend backend) {
        return """
                http:
                  forwardedHeaders: {trustedIPs: ["127.0.0.0/8"]}
                  routers:
                    auth: {rule: "PathPrefix(`/auth`)", service: app, middlewares: [auth, strip]}
                    near: {rule: "PathPrefix(`/near`)", service: app, middlewares: [near]}
                    rate: {rule: "PathPrefix(`/rate`)", service: app, middlewares: [rate]}
                    rated: {rule: "PathPrefix(`/rated`)", service: app, middlewares: [rate]}
                    flight: {rule: "PathPrefix(`/flight`)", service: app, middlewares: [flight]}
                    dead: {rule: "PathPrefix(`/flight/dead`)", service: dead, middlewares: [flight]}
                    refused: {rule: "PathPrefix(`/flight/refused`)", service: app, middlewares: [flight, near]}
                    secure: {rule: "PathPrefix(`/secure`)", service: app, middlewares: [all]}
                    www: {rule: "Host(`*.old.example`)", service: app, middlewares: [www]}
                    version: {rule: "PathPrefix(`/v1`) || PathPrefix(`/v2`)", service: app, middlewares: [version]}
                    fixed: {rule: "PathPrefix(`/fixed`)", service: app, middlewares: [fixed]}
                    moved: {rule: "PathPrefix(`/moved`)", service: app, middlewares: [moved]}
                    twice: {rule: "PathPrefix(`/tenant`)", service: app, middlewares: [tenant, version, add]}
                  middlewares:
                    auth:
                      basicAuth:
                        users: ["test:$apr1$H6uskkkW$IgXLP6ewTrSuBkTrqE8wj/"]
                        realm: shop
                        headerField: X-Web-User
                        removeHeader: true
                    strip: {stripPrefix: {prefixes: [/auth]}}
                    near: {ipAllowList: {sourceRange: [10.0.0.0/8]}}
                    rate: {rateLimit: {average: 1, period: 1h, burst: 2}}
                    flight: {inFlightReq: {amount: 1}}
                    all: {chain: {middlewares: [scheme, fixed]}}
                    scheme: {redirectScheme: {scheme: https, permanent: true}}
                    www: {redirectRegex: {regex: "^http://([a-z]+)[.]old[.]example/(.*)", replacement: "http://new.example/$1/${2}"}}
                    version: {stripPrefixRegex: {regex: ["/v[0-9]+"]}}
                    tenant: {stripPrefix: {prefixes: [/tenant]}}
                    add: {addPrefix: {prefix: /caf%%C3%%A9}}
                    fixed: {replacePath: {path: /one}}
                    moved: {replacePathRegex: {regex: "^/moved/([^/]*)/(.*)", replacement: "/$2/$1"}}
                  services:
                    app: {loadBalancer: {servers: [{url: "%s"}]}}
                    dead: {loadBalancer: {servers: [{url: "http://127.0.0.1:1", weight: 0}]}}
                """.formatted(backend.url());
    }

    @Test
    void requestsAreLetThroughOrRefused() throws Exception {
        RawBackend backend = backend(answer(200, "in"));
        proxy(configuration(backend));
        RawClient client = client();

        RawMessage refused = client.get("/auth/x");
        assertThat(refused.status()).isEqualTo(401);
        assertThat(refused.value("WWW-Authenticate")).isEqualTo("Basic realm=\"shop\"");
        assertThat(refused.value("Content-Type")).startsWith("application/problem+json");
        assertThat(refused.body()).contains("\"status\":401", "\"service\":\"app\"");
        assertThat(client.get("/auth/x", "Authorization: Basic dGVzdDp3cm9uZw==")
                        .status())
                .isEqualTo(401);
        RawMessage passed = client.get(
                "/auth/x",
                "Authorization: Basic dGVzdDp0ZXN0",
                "Connection: X-Web-User, Authorization",
                "X-Web-User: admin",
                "X_Web_User: admin");
        assertThat(passed.status()).isEqualTo(200);
        RawMessage request = backend.request();
        assertThat(request.target()).isEqualTo("/x");
        assertThat(request.value("X-Web-User")).isEqualTo("test");
        assertThat(request.values("X_Web_User")).isEmpty();
        assertThat(request.values("Authorization")).isEmpty();

        assertThat(client.get("/near").status()).isEqualTo(403);
        assertThat(client.get("/near", "X-Forwarded-For: 10.1.2.3, 192.0.2.1").status())
                .isEqualTo(403);
        assertThat(client.get("/near", "X-Forwarded-For: 192.0.2.1, 10.1.2.3").status())
                .isEqualTo(200);

        // Some proxies tell ports.
        assertThat(client.get("/near", "X-Forwarded-For: 10.1.2.3:4711").status())
                .isEqualTo(200);

        assertThat(client.get("/rate").status()).isEqualTo(200);
        assertThat(client.get("/rate").status()).isEqualTo(200);
        RawMessage limited = client.get("/rate");
        assertThat(limited.status()).isEqualTo(429);
        assertThat(Integer.parseInt(limited.value("Retry-After"))).isBetween(3_500, 3_600);
        assertThat(client.get("/rate", "X-Forwarded-For: 192.0.2.7").status()).isEqualTo(200);
        // The other router counts for itself.
        assertThat(client.get("/rated").status()).isEqualTo(200);
    }

    @Test
    void theCountOfRequestsUnderWayComesBackHoweverTheyEnd() throws Exception {
        RawBackend backend = backend(peer -> {
            while (true) {
                RawMessage request = peer.readHead();
                if (request == null || request.target().equals("/flight/broken")) {
                    return;
                }
                if (request.target().equals("/flight/half")) {
                    peer.write(head(200) + "Content-Length: 10\r\n\r\nhalf");
                    return;
                }
                if (request.target().equals("/flight/slow")) {
                    peer.write(head(200) + "Content-Length: 4\r\n\r\n");
                    peer.in().read();
                    return;
                }
                peer.write(answer(200, "in"));
            }
        });
        proxy(configuration(backend));

        RawClient slow = client();
        slow.send("GET", "/flight/slow");
        slow.readHead();
        assertThat(client().get("/flight/x").status()).isEqualTo(429);
        assertThat(client().get("/flight/x", "Host: other.example").status()).isEqualTo(200);
        // This one's client leaves in the middle of a body that it uploads.
        RawClient leaving = client();
        leaving.send("POST", "/flight/y", "Host: leaving.example", "Content-Length: 1000");
        leaving.write("some");
        leaving.close();
        for (String end : new String[] {"broken", "refused", "dead", "../x"}) {
            assertThat(client().get("/flight/" + end, "Host: " + host(end)).status())
                    .as(end)
                    .isNotIn(200, 429);
        }
        RawClient half = client();
        // Closed in any case, be the answer broken off or a 502.
        half.send("GET", "/flight/half", "Host: half.example", "Connection: close");
        half.readHead();
        half.in().readAllBytes();
        for (String end : new String[] {"broken", "refused", "dead", "../x", "half", "leaving"}) {
            Awaitility.await()
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(5))
                    .until(() -> client().get("/flight/x", "Host: " + host(end)).status() == 200);
        }
        assertThat(client().get("/flight/x").status()).isEqualTo(429);
    }

    /** A source of its own for each end, since the count comes back a moment after the answer. */
    private static String host(String end) {
        return end.replace("../", "") + ".example";
    }

    @Test
    void clientsAreSentElsewhereAndPathsAreExchanged() throws Exception {
        RawBackend backend = backend(answer(200, "in"));
        proxy(configuration(backend));
        RawClient client = client();

        RawMessage redirect = client.get("/secure/a%20b;c?d=%zz");
        assertThat(redirect.status()).isEqualTo(301);
        assertThat(redirect.value("Location")).isEqualTo("https://shop.example/secure/a%20b;c?d=%zz");
        assertThat(redirect.value("Content-Length")).isEqualTo("0");
        RawMessage posted =
                client().exchange("POST", "/secure/x?", "abc", "Host: shop.example:81", "Content-Length: 3");
        assertThat(posted.status()).isEqualTo(308);
        assertThat(posted.value("Location")).isEqualTo("https://shop.example/secure/x?");
        assertThat(client.get("/x/y?z", "Host: www.old.example").value("Location"))
                .isEqualTo("http://new.example/www/x/y?z");
        assertThat(backend.pendingRequests()).isZero();

        assertThat(client.get("/secure/x?y", "X-Forwarded-Proto: https").status())
                .isEqualTo(200);
        RawMessage request = backend.request();
        assertThat(request.target()).isEqualTo("/one?y");
        assertThat(request.value("X-Replaced-Path")).isEqualTo("/secure/x");

        client.get("/v2//x;y?z");
        request = backend.request();
        assertThat(request.target()).isEqualTo("//x;y?z");
        assertThat(request.value("X-Forwarded-Prefix")).isEqualTo("/v2");

        // One prefix, however many middlewares have cut it off; and what was escaped is not escaped again.
        client.get("/tenant/v2/a%20b%3Fc%5B?d=%2B+");
        request = backend.request();
        assertThat(request.target()).isEqualTo("/caf%C3%A9/a%20b%3Fc%5B?d=%2B+");
        assertThat(request.value("X-Forwarded-Prefix")).isEqualTo("/tenant/v2");

        client.get("/moved/a/b%20c?d=e");
        request = backend.request();
        assertThat(request.target()).isEqualTo("/b%20c/a?d=e");
        assertThat(request.value("X-Replaced-Path")).isEqualTo("/moved/a/b%20c");
        assertThat(client.get("//moved/a/b").status()).isEqualTo(400);
        assertThat(backend.pendingRequests()).isZero();
    }

    @Test
    void aChainIsItsMiddlewaresInTheirOrder() throws Exception {
        RawBackend backend = backend(answer(200, "in"));
        proxy("""
                http:
                  routers:
                    all: {rule: "PathPrefix(`/`)", service: orders, middlewares: [outer]}
                  services:
                    orders: {loadBalancer: {servers: [{url: "%s"}]}}
                  middlewares:
                    outer: {chain: {middlewares: [inner, last]}}
                    inner: {chain: {middlewares: [local, first]}}
                    local: {ipAllowList: {sourceRange: ["127.0.0.0/8"]}}
                    first: {addPrefix: {prefix: "/first"}}
                    last: {addPrefix: {prefix: "/last"}}
                """.formatted(backend.url()));

        assertThat(client().get("/x").status()).isEqualTo(200);

        assertThat(backend.request().target()).isEqualTo("/last/first/x");
    }
}
