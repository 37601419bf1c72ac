package io.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.Endpoint;
import java.util.List;
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

    private void trustingProxyTo(RawBackend backend) throws Exception {
        proxy("""
                http:
                  forwardedHeaders: {trustedIPs: ["10.0.0.0/8", "fd00::/8", "127.0.0.0/8"], via: edge, forwarded: true}
                  services:
                    orders: {loadBalancer: {servers: [{url: "%s"}]}}
                """.formatted(backend.url()));
    }

    /** What came from a trusted peer, and what the server gets: the chain, the client and the port. */
    @Test
    void everyFormOfAChainIsUnderstood() throws Exception {
        RawBackend backend = backend(answer(200, ""));
        trustingProxyTo(backend);
        RawClient client = client();

        record Case(String chain, String client, List<String> fields) {}
        for (Case each : new Case[] {
            new Case("127.0.0.1", "127.0.0.1", List.of()),
            new Case("127.0.0.1", "127.0.0.1", List.of("X-Forwarded-For:")),
            new Case("1.2.3.4:5678, 127.0.0.1", "1.2.3.4", List.of("X-Forwarded-For: 1.2.3.4:5678")),
            new Case(
                    "6.6.6.6, [2001:db8::1]:99, fd00::5, 127.0.0.1",
                    "2001:db8::1",
                    List.of("X-Forwarded-For: 6.6.6.6, [2001:db8::1]:99", "X-Forwarded-For: fd00::5")),
            new Case("10.0.0.1, 10.0.0.2, 127.0.0.1", "10.0.0.1", List.of("X-Forwarded-For: 10.0.0.1,10.0.0.2")),
            new Case(
                    "1.2.3.4, unknown, 10.0.0.9, 127.0.0.1",
                    "10.0.0.9",
                    List.of("X-Forwarded-For: 1.2.3.4, unknown, 10.0.0.9")),
            new Case("1.2.3.4, , 127.0.0.1", "127.0.0.1", List.of("X-Forwarded-For: 1.2.3.4, ")),
            new Case("010.0.0.1, 127.0.0.1", "127.0.0.1", List.of("X-Forwarded-For: 010.0.0.1")),
            new Case(
                    "2001:db8::7, 10.0.0.1, 127.0.0.1",
                    "2001:db8::7",
                    List.of("Forwarded: for=\"[2001:db8::7]:4711\";proto=http;by=_x, For=10.0.0.1")),
            new Case("127.0.0.1", "127.0.0.1", List.of("Forwarded: for=_hidden")),
            new Case("1.2.3.4, 127.0.0.1", "1.2.3.4", List.of("X-Real-IP: 1.2.3.4")),
            new Case("1.2.3.4, 127.0.0.1", "1.2.3.4", List.of("X-Forwarded-For: 1.2.3.4", "Forwarded: for=6.6.6.6")),
        }) {
            client.get("/", each.fields().toArray(String[]::new));
            RawMessage request = backend.request();
            String chain = request.value("X-Forwarded-For").replaceAll(" ?, ?", ", ");
            assertThat(chain).as(each.toString()).isEqualTo(each.chain());
            assertThat(request.value("X-Real-IP")).as(each.toString()).isEqualTo(each.client());
        }
    }

    @Test
    void theStandardFieldsGrowByOneElement() throws Exception {
        RawBackend backend = backend(answer(200, "", "Via: 1.0 inner"));
        trustingProxyTo(backend);

        RawMessage answer = client().get(
                        "/",
                        "Host: shop.example:81",
                        "Forwarded: for=\"[2001:db8::7]\"",
                        "Forwarded: for=10.0.0.1;host=\"a,b;c\"",
                        "Via: 1.1 front");

        RawMessage request = backend.request();
        assertThat(request.value("Forwarded"))
                .isEqualTo("for=\"[2001:db8::7]\", for=10.0.0.1;host=\"a,b;c\","
                        + " for=127.0.0.1;host=\"shop.example:81\";proto=http");
        assertThat(request.values("Via")).containsExactly("1.1 front", "1.1 edge");
        assertThat(answer.values("Via")).containsExactly("1.0 inner", "1.1 edge");
    }

    /** The servers of both are the proxy itself, which is known when it listens. */
    @Test
    void aRequestThatGoesRoundIsEndedAndOneThatComesBackOnPurposeIsNot() throws Exception {
        RawBackend backend = backend(answer(200, "there"));
        proxy("""
                http:
                  forwardedHeaders: {via: edge}
                  routers:
                    round: {rule: "PathPrefix(`/round`)", service: self}
                    twice: {rule: "PathPrefix(`/twice`)", service: self, middlewares: [strip]}
                    inner: {rule: "PathPrefix(`/inner`)", service: inner}
                  middlewares: {strip: {stripPrefix: {prefixes: ["/twice"]}}}
                  services:
                    self: {loadBalancer: {servers: [{url: "http://127.0.0.1:1"}]}}
                    inner: {loadBalancer: {servers: [{url: "%s"}]}}
                """.formatted(backend.url()));
        balancers().get("self").update(List.of(Endpoint.of("http://127.0.0.1:" + port())));

        RawMessage round = client().get("/round");
        RawMessage twice = client().get("/twice/inner");

        assertThat(round.status()).isEqualTo(508);
        assertThat(round.value("Content-Type")).isEqualTo("application/problem+json");
        assertThat(balancers().get("self").snapshot().endpoints())
                .singleElement()
                .satisfies(self -> assertThat(self.picks()).isEqualTo(Via.MOST_OF_A_NAME + 1));
        assertThat(twice.status()).isEqualTo(200);
        assertThat(twice.body()).isEqualTo("there");
        assertThat(backend.request().values("Via")).containsExactly("1.1 edge", "1.1 edge");
        awaitNothingInFlight();
    }

    @Test
    void aPeerThatIsNotTrustedBeginsTheStandardFieldAnew() throws Exception {
        RawBackend backend = backend(answer(200, ""));
        proxy("""
                http:
                  forwardedHeaders: {forwarded: true, trustedIPs: ["10.0.0.0/8"]}
                  services:
                    orders: {loadBalancer: {servers: [{url: "%s"}]}}
                """.formatted(backend.url()));

        RawMessage answer = client().get("/", "Forwarded: for=6.6.6.6", "X-Replaced-Path: /evil", "X_Real_IP: 6.6.6.6");

        RawMessage request = backend.request();
        assertThat(request.value("Forwarded")).isEqualTo("for=127.0.0.1;host=shop.example;proto=http");
        assertThat(request.values("X-Replaced-Path")).isEmpty();
        assertThat(request.values("X_Real_IP")).isEmpty();
        assertThat(request.values("Via")).isEmpty();
        assertThat(answer.values("Via")).isEmpty();
    }

    @Test
    void thePortIsThatOfTheHostOrElseOfTheScheme() throws Exception {
        RawBackend backend = backend(answer(200, ""));
        trustingProxyTo(backend);
        RawClient client = client();

        record Case(String port, List<String> fields) {}
        for (Case each : new Case[] {
            new Case("80", List.of()),
            new Case("8443", List.of("Host: shop.example:8443")),
            new Case("443", List.of("X-Forwarded-Proto: https")),
            new Case("443", List.of("X-Forwarded-Proto: wss")),
            new Case("80", List.of("X-Forwarded-Proto: http")),
            new Case("9443", List.of("X-Forwarded-Proto: https", "X-Forwarded-Host: public.example:9443")),
            new Case("443", List.of("X-Forwarded-Proto: https", "X-Forwarded-Host: [2001:db8::1]")),
            new Case("77", List.of("X-Forwarded-Port: 77", "X-Forwarded-Host: public.example:9443")),
        }) {
            client.get("/", each.fields().toArray(String[]::new));
            assertThat(backend.request().value("X-Forwarded-Port"))
                    .as(each.toString())
                    .isEqualTo(each.port());
        }
    }

    @Test
    void ofSeveralValuesTheLastCountsWhichTheTrustedPeerHasAdded() throws Exception {
        RawBackend backend = backend(answer(200, ""));
        trustingProxyTo(backend);
        RawClient client = client();

        for (String[] each : new String[][] {
            {"X-Forwarded-Proto: https, http"}, {"X-Forwarded-Proto: https", "X-Forwarded-Proto: http"}
        }) {
            client.get("/", each);
            RawMessage request = backend.request();
            assertThat(request.values("X-Forwarded-Proto")).containsExactly("http");
            assertThat(request.value("X-Forwarded-Port")).isEqualTo("80");
        }
        client.get("/", "X-Real-IP: 1.2.3.4", "X-Real-IP: 192.0.2.7", "X-Forwarded-Host: a", "X-Forwarded-Host: b");
        RawMessage request = backend.request();
        assertThat(request.values("X-Real-IP")).containsExactly("192.0.2.7");
        assertThat(request.values("X-Forwarded-Host")).containsExactly("b");
    }

    @Test
    void noClientCanHaveOurFieldsRemovedByNamingThemInConnection() throws Exception {
        RawBackend backend = backend(answer(200, "", "Connection: Via, X-Inner", "X-Inner: 1"));
        trustingProxyTo(backend);

        RawMessage answer = client().get(
                        "/",
                        "Connection: X-Forwarded-For, X-Real-IP, Forwarded, Via, Host, X-Mine,, close",
                        "X-Mine: 1",
                        "Via: 1.1 front");

        RawMessage request = backend.request();
        assertThat(request.value("X-Forwarded-For")).isEqualTo("127.0.0.1");
        assertThat(request.value("X-Real-IP")).isEqualTo("127.0.0.1");
        assertThat(request.value("Host")).isEqualTo("shop.example");
        assertThat(request.value("Via")).isEqualTo("1.1 edge");
        assertThat(request.value("Forwarded")).startsWith("for=127.0.0.1");
        assertThat(request.values("X-Mine")).isEmpty();
        assertThat(request.values("Connection")).isEmpty();
        assertThat(answer.values("X-Inner")).isEmpty();
        assertThat(answer.value("Via")).isEqualTo("1.1 edge");
    }
}
