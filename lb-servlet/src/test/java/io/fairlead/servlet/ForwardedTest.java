package io.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What servers are told of where a request came from, and whom it was for. */
final class ForwardedTest extends ContainerTest {
    @Test
    void whatTheClientSaysOfItselfIsReplaced() throws Exception {
        RawBackend backend = backend(answer(200, ""));
        proxyTo(backend.url());

        client().get(
                        "/",
                        "Host: shop.example:8443",
                        "X-Forwarded-For: 6.6.6.6",
                        "X-Forwarded-Proto: https",
                        "X-Forwarded-Host: evil.example",
                        "X-Forwarded-Port: 1",
                        "X-Forwarded-Prefix: /evil",
                        "X-Forwarded-Server: evil",
                        "X_Forwarded_For: 6.6.6.6",
                        "X-Real-IP: 6.6.6.6",
                        "Forwarded: for=6.6.6.6");

        RawMessage request = backend.request();
        assertThat(request.value("X-Forwarded-For")).isEqualTo("127.0.0.1");
        assertThat(request.value("X-Forwarded-Proto")).isEqualTo("http");
        assertThat(request.value("X-Forwarded-Host")).isEqualTo("shop.example:8443");
        assertThat(request.value("X-Forwarded-Port")).isEqualTo("8443");
        assertThat(request.value("X-Real-IP")).isEqualTo("127.0.0.1");
        assertThat(request.toString()).doesNotContain("6.6.6.6", "evil");
    }

    @Test
    void whatATrustedPeerSaysIsKeptAndAddedTo() throws Exception {
        RawBackend backend = backend(answer(200, ""));
        proxy("""
                http:
                  forwardedHeaders: {trustedIPs: ["10.0.0.0/8", "127.0.0.0/8"]}
                  services:
                    orders: {loadBalancer: {servers: [{url: "%s"}]}}
                """.formatted(backend.url()));

        client().get(
                        "/",
                        "X-Forwarded-For: 1.2.3.4",
                        "X-Forwarded-For: 10.1.1.1",
                        "X-Forwarded-Proto: https",
                        "X-Forwarded-Host: public.example",
                        "X-Forwarded-Port: 443",
                        "X-Forwarded-Prefix: /p",
                        "X-Forwarded-Server: front",
                        "Forwarded: for=1.2.3.4",
                        "X-Real-IP: 1.2.3.4");

        RawMessage request = backend.request();
        assertThat(request.value("X-Forwarded-For")).isEqualTo("1.2.3.4, 10.1.1.1, 127.0.0.1");
        assertThat(request.value("X-Forwarded-Proto")).isEqualTo("https");
        assertThat(request.value("X-Forwarded-Host")).isEqualTo("public.example");
        assertThat(request.value("X-Forwarded-Port")).isEqualTo("443");
        assertThat(request.value("X-Forwarded-Prefix")).isEqualTo("/p");
        assertThat(request.value("X-Forwarded-Server")).isEqualTo("front");
        assertThat(request.value("Forwarded")).isEqualTo("for=1.2.3.4");
        assertThat(request.value("X-Real-IP")).isEqualTo("1.2.3.4");
    }

    @Test
    void theClientsAddressIsTheLastOneThatNoTrustedProxyStandsBehind() throws Exception {
        RawBackend backend = backend(answer(200, ""));
        proxy("""
                http:
                  forwardedHeaders: {trustedIPs: ["10.0.0.0/8", "127.0.0.1"]}
                  routers:
                    known: {rule: "ClientIP(`1.2.3.0/24`)", service: orders}
                  services:
                    orders: {loadBalancer: {servers: [{url: "%s"}]}}
                """.formatted(backend.url()));

        assertThat(client().get("/", "X-Forwarded-For: 6.6.6.6, 1.2.3.4, 10.0.0.9")
                        .body())
                .isEmpty();
        assertThat(client().get("/", "X-Forwarded-For: 1.2.3.4, 6.6.6.6").body())
                .isEqualTo("application");
    }

    @Test
    void whereATrustedPeerTellsTheChainOnlyTheRealAddressIsTheClientsInIt() throws Exception {
        RawBackend backend = backend(answer(200, ""));
        proxy("""
                http:
                  forwardedHeaders: {trustedIPs: ["10.0.0.0/8", "127.0.0.1"]}
                  services:
                    orders: {loadBalancer: {servers: [{url: "%s"}]}}
                """.formatted(backend.url()));

        client().get("/", "X-Forwarded-For: 6.6.6.6, 1.2.3.4, 10.0.0.9");

        assertThat(backend.request().value("X-Real-IP")).isEqualTo("1.2.3.4");
    }

    @Test
    void theClientsHostGoesThrough() throws Exception {
        RawBackend backend = backend(answer(200, ""));
        proxyTo(backend.url());

        client().get("/", "Host: Shop.Example:81");

        assertThat(backend.request().value("Host")).isEqualTo("Shop.Example:81");
    }

    @Test
    void withoutPassHostHeaderTheServersOwnAuthorityIsSent() throws Exception {
        RawBackend backend = backend(answer(200, ""));
        proxy(service("orders", "passHostHeader: false", backend.url()));

        client().get("/", "Host: shop.example");

        RawMessage request = backend.request();
        assertThat(request.value("Host")).isEqualTo("127.0.0.1:" + backend.port());
        assertThat(request.value("X-Forwarded-Host")).isEqualTo("shop.example");
    }
}
