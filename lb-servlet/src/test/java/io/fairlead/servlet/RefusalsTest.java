package io.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that no server ever sees. */
final class RefusalsTest extends ContainerTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/orders/../admin",
                "/orders/..",
                "/orders/%2e%2e/admin",
                "/orders/%2E./admin",
                "/orders/.%2e/admin",
                "/orders/..;/admin",
                "/orders/..;x=1/admin",
                "/orders/%2e%2e%3bx/admin",
                "/orders/..%2fadmin",
                "/orders/x%2f..%2f..%2fadmin",
                "/orders/..%5cadmin",
                "/orders/\\..\\admin",
                "/orders/%252e%252e/admin",
                "/orders/%25252e%25252e/admin",
                "/orders/..%252fadmin",
                "/orders/%c0%ae%c0%ae/admin",
                "/orders/%u002e%u002e/admin",
                "/orders/..%00/admin",
                "/orders/..%20/admin",
            })
    void aPathThatClimbsIs400(String target) throws Exception {
        RawBackend backend = backend(answer(200, "leaked"));
        proxy("""
                http:
                  routers:
                    orders: {rule: "PathPrefix(`/orders`)", service: orders}
                  services:
                    orders: {loadBalancer: {servers: [{url: "%s"}]}}
                """.formatted(backend.url()));

        RawMessage answer = client().get(target);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(backend.connections()).isZero();
    }

    @Test
    void theRefusalIsAProblemDocument() throws Exception {
        RawBackend backend = backend(answer(200, "leaked"));
        proxyTo(backend.url());

        RawMessage answer = client().get("/x/..;/y");

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.value("Content-Type")).startsWith("application/problem+json");
        assertThat(answer.body()).contains("\"status\":400", "\"service\":\"orders\"");
    }

    @Test
    void aLengthTogetherWithChunksNeverReachesTheServerAsTwoRequests() throws Exception {
        RawBackend backend = backend(answer(200, "x"));
        proxyTo(backend.url());

        RawClient client = client();
        client.send("POST", "/first", "Content-Length: 6", "Transfer-Encoding: chunked");
        client.write("0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n");
        RawMessage answer = client.readHead();

        if (answer.status() == 200) {
            // Tomcat drops the length, and closes the connection behind the answer.
            RawMessage request = backend.request();
            assertThat(request.target()).isEqualTo("/first");
            assertThat(request.body()).isEmpty();
            assertThat(request.value("Content-Length")).isIn(null, "0");
            assertThat(answer.value("Connection")).isEqualToIgnoringCase("close");
        } else {
            assertThat(answer.status()).isEqualTo(400);
        }
        assertThat(backend.pendingRequests()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
                "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx",
                "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
                "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n",
                "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET / HTTP/1.1\r\n\r\n",
                // The container would take off the chunks and leave the rest to a server that is not told of it.
                "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
                "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                // A 2xx would say that there is a tunnel.
                "CONNECT a:80 HTTP/1.1\r\nHost: a:80\r\n\r\n",
            })
    void malformedRequestsAreRefused(String request) throws Exception {
        RawBackend backend = backend(answer(200, "x"));
        proxyTo(backend.url());

        RawClient client = client();
        client.write(request);

        assertThat(client.readHead().status()).isBetween(400, 599);
        assertThat(backend.pendingRequests()).isZero();
    }
}
