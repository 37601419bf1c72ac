package io.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that speak HTTP/2, to servers that speak HTTP/1.1. */
final class Http2Test extends ContainerTest {
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build();

    /** The JDK's client goes over to HTTP/2 with the answer to its first request. */
    private void switchToHttp2() throws Exception {
        assertThat(send("HEAD", BodyPublishers.noBody()).version()).isEqualTo(HttpClient.Version.HTTP_2);
    }

    private RawBackend backend;

    @BeforeEach
    void begin() throws Exception {
        backend = backend(peer -> {
            while (peer.readRequest()) {
                peer.write(answer(200, "hello", "X-Many: 1", "X-Many: 2", "Connection: keep-alive"));
            }
        });
    }

    private HttpResponse<String> send(String method, BodyPublisher body, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + "/a?b"))
                .method(method, body);
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }

    @Test
    void aGetGoesThroughWithTheHostOfTheClient() throws Exception {
        proxyTo(backend.url());
        switchToHttp2();
        backend.request();

        HttpResponse<String> answer = send("GET", BodyPublishers.noBody());

        assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_2);
        assertThat(answer.body()).isEqualTo("hello");
        assertThat(answer.headers().allValues("x-many")).containsExactly("1", "2");
        RawMessage request = backend.request();
        assertThat(request.startLine()).isEqualTo("GET /a?b HTTP/1.1");
        assertThat(request.value("Host")).isEqualTo("127.0.0.1:" + port());
        assertThat(request.value("X-Forwarded-Host")).isEqualTo("127.0.0.1:" + port());
        assertThat(request.values("Content-Length")).isEmpty();
        assertThat(request.values("Transfer-Encoding")).isEmpty();
        awaitNothingInFlight();
    }

    @Test
    void theAuthorityStandsInTheFieldsAndInRedirectsAsHostDoes() throws Exception {
        proxy("""
                http:
                  forwardedHeaders: {via: edge, forwarded: true}
                  routers:
                    plain: {rule: "Method(`GET`) || Method(`HEAD`)", service: orders}
                    secure: {rule: "Method(`POST`) && Host(`127.0.0.1`)", service: orders, middlewares: [secure]}
                  middlewares:
                    secure: {redirectScheme: {scheme: https}}
                  services:
                    orders: {loadBalancer: {servers: [{url: "%s"}]}}
                """.formatted(backend.url()));
        switchToHttp2();
        backend.request();

        assertThat(send("GET", BodyPublishers.noBody()).headers().allValues("via"))
                .containsExactly("1.1 edge");
        RawMessage request = backend.request();
        assertThat(request.value("Via")).isEqualTo("2.0 edge");
        assertThat(request.value("Forwarded")).isEqualTo("for=127.0.0.1;host=\"127.0.0.1:" + port() + "\";proto=http");
        HttpResponse<String> redirect = send("POST", BodyPublishers.ofString("abc"));
        assertThat(redirect.statusCode()).isEqualTo(307);
        assertThat(redirect.headers().firstValue("Location")).hasValue("https://127.0.0.1/a?b");
        assertThat(backend.pendingRequests()).isZero();
    }

    /** Browsers send every cookie as a field of its own, which only HTTP/2 has (RFC 9113, 8.2.3). */
    @Test
    void cookiesThatComeOneByOneAreOneFieldForTheServer() throws Exception {
        proxyTo(backend.url());
        switchToHttp2();
        backend.request();

        send("GET", BodyPublishers.noBody(), "Cookie", "", "Cookie", "a=1", "Cookie", "b=2; c=3", "Cookie", "lb=x");

        assertThat(backend.request().values("Cookie")).containsExactly("a=1; b=2; c=3; lb=x");
    }

    @Test
    void aPostWithALengthKeepsIt() throws Exception {
        proxyTo(backend.url());
        switchToHttp2();
        backend.request();

        assertThat(send("POST", BodyPublishers.ofString("some words")).body()).isEqualTo("hello");

        RawMessage request = backend.request();
        assertThat(request.body()).isEqualTo("some words");
        assertThat(request.value("Content-Length")).isEqualTo("10");
    }

    @Test
    void aPostWithoutALengthKeepsItsBody() throws Exception {
        proxyTo(backend.url());
        switchToHttp2();
        backend.request();
        BodyPublisher unknownLength = BodyPublishers.fromPublisher(BodyPublishers.ofString("some words"));

        assertThat(send("POST", unknownLength).body()).isEqualTo("hello");

        RawMessage request = backend.request();
        assertThat(request.body()).isEqualTo("some words");
        assertThat(request.isChunked()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "DELETE", "OPTIONS", "PROPFIND"})
    void aBodyWithoutLengthAndTypeIsKeptWhateverTheMethod(String method) throws Exception {
        proxyTo(backend.url());

        RawHttp2Request sending = closing(RawHttp2Request.begin(port(), method));
        sending.end("some words");

        RawMessage request = backend.request();
        assertThat(request.startLine()).isEqualTo(method + " /a?b HTTP/1.1");
        assertThat(request.body()).isEqualTo("some words");
        assertThat(request.isChunked()).isTrue();
        awaitNothingInFlight();
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "POST", "DELETE", "OPTIONS", "PROPFIND"})
    void aRequestThatEndsWithItsHeadGetsNoBody(String method) throws Exception {
        proxyTo(backend.url());

        closing(RawHttp2Request.without(port(), method));

        RawMessage request = backend.request();
        assertThat(request.startLine()).isEqualTo(method + " /a?b HTTP/1.1");
        assertThat(request.body()).isEmpty();
        assertThat(request.values("Transfer-Encoding")).isEmpty();
        awaitNothingInFlight();
    }

    @Test
    void anAnswerThatBreaksOffIsSeenBroken() throws Exception {
        CompletableFuture<Void> seen = new CompletableFuture<>();
        RawBackend breaking = backend(peer -> {
            peer.readRequest();
            peer.write(answer(200, ""));
            peer.readRequest();
            peer.write(head(200) + "Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n");
            seen.get(10, TimeUnit.SECONDS);
        });
        proxyTo(breaking.url());
        switchToHttp2();

        HttpResponse<InputStream> answer = client.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + "/"))
                        .build(),
                BodyHandlers.ofInputStream());
        assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_2);
        try (InputStream body = answer.body()) {
            assertThat(body.readNBytes(4)).hasSize(4);
            seen.complete(null);
            assertThatThrownBy(body::read).isInstanceOf(IOException.class);
        }
        awaitNothingInFlight();
    }

    @Test
    void aLargeBodyGoesBothWays() throws Exception {
        RawBackend echo = backend(peer -> {
            while (true) {
                RawMessage request = peer.readHead();
                if (request == null) {
                    return;
                }
                int length =
                        request.value("Content-Length") == null ? 0 : Integer.parseInt(request.value("Content-Length"));
                peer.write(head(200) + "Content-Length: " + length + "\r\n\r\n");
                peer.out().write(peer.in().readNBytes(length));
            }
        });
        proxyTo(echo.url());
        switchToHttp2();
        byte[] body = new byte[8 << 20];
        new java.util.Random(1).nextBytes(body);

        HttpResponse<byte[]> answer = client.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + "/"))
                        .PUT(BodyPublishers.ofByteArray(body))
                        .build(),
                BodyHandlers.ofByteArray());

        assertThat(answer.body()).isEqualTo(body);
        awaitNothingInFlight();
    }

    @Test
    void aTransferCodingIsNotOfHttp2() throws Exception {
        proxyTo(backend.url());
        List<String> fields = List.of(
                ":method", "POST", ":scheme", "http", ":authority", "a", ":path", "/", "transfer-encoding", "chunked");
        closing(RawHttp2Request.of(port(), fields, "hello")).awaitEnd();

        assertThat(backend.pendingRequests()).isZero();
    }
}
