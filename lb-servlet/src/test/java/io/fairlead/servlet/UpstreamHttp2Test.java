package io.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers that speak HTTP/2. */
final class UpstreamHttp2Test extends ContainerTest {
    /** The configuration of a service over this backend, with these keys in its transport. */
    static String over(String url, String transport) throws IOException {
        String pem = JettyBackend.pem("ca.pem").indent(12);
        return """
                http:
                  services:
                    orders: {loadBalancer: {servers: [{url: "%s"}], serversTransport: t}}
                  serversTransports:
                    t:
                      rootCAs:
                        - |
                %s
                %s
                """.formatted(url, pem, transport.indent(6));
    }

    @Test
    void aServerWhoseUrlSaysSoIsSpokenToInHttp2FromTheFirstByteOn() throws Exception {
        JettyBackend backend = closing(JettyBackend.h2c());
        proxyTo(backend.url() + "/base?own=1");

        RawClient client = client();
        RawMessage answer = client.exchange(
                "POST",
                "/a%20b+c?d=%7e",
                "hello",
                "Host: shop.example:81",
                "Content-Length: 5",
                "X-Many: 1",
                "X-Many: 2",
                "Connection: keep-alive, X-Hop",
                "X-Hop: 1");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("hello");
        assertThat(answer.value("X-Protocol")).isEqualTo("HTTP/2.0");
        JettyBackend.Seen seen = backend.request();
        assertThat(seen.protocol()).isEqualTo("HTTP/2.0");
        assertThat(seen.target()).isEqualTo("/base/a%20b+c?own=1&d=%7e");
        assertThat(seen.authority()).isEqualTo("shop.example:81");
        assertThat(seen.fields().getValuesList("Host")).isIn(java.util.List.of(), java.util.List.of("shop.example:81"));
        assertThat(seen.fields().getValuesList("X-Many")).containsExactly("1", "2");
        assertThat(seen.fields().getField("X-Hop")).isNull();
        assertThat(seen.fields().getField("Connection")).isNull();
        assertThat(seen.fields().get("Content-Length")).isEqualTo("5");
        assertThat(seen.fields().get("X-Forwarded-Host")).isEqualTo("shop.example:81");
        awaitNothingInFlight();
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "DELETE", "OPTIONS", "HEAD"})
    void aRequestWithoutABodyEndsWithItsHead(String method) throws Exception {
        JettyBackend backend = closing(JettyBackend.h2c());
        proxyTo(backend.url());

        assertThat(client().exchange(method, "/", "").status()).isEqualTo(200);

        JettyBackend.Seen seen = backend.request();
        assertThat(seen.method()).isEqualTo(method);
        assertThat(seen.fields().getField("Content-Length")).isNull();
        assertThat(seen.fields().getField("Transfer-Encoding")).isNull();
    }

    @Test
    void aChunkedBodyGoesWithoutALength() throws Exception {
        JettyBackend backend = closing(JettyBackend.h2c());
        proxyTo(backend.url());

        RawMessage answer = client().exchange("PUT", "/", "4\r\nwiki\r\n0\r\n\r\n", "Transfer-Encoding: chunked");

        assertThat(answer.body()).isEqualTo("wiki");
        assertThat(backend.request().fields().getField("Transfer-Encoding")).isNull();
    }

    @Test
    void theRequestsToOneServerShareItsConnection() throws Exception {
        JettyBackend backend = closing(JettyBackend.h2c());
        proxyTo(backend.url());

        Set<Object> connections = new HashSet<>();
        for (int i = 0; i < 20; i++) {
            assertThat(client().get("/" + i).status()).isEqualTo(200);
            connections.add(backend.request().connection());
        }

        assertThat(connections).hasSize(1);
        assertThat(backend.connections()).isEqualTo(1);
    }

    @Test
    void overTlsItIsSpokenWhereTheServerOffersIt() throws Exception {
        JettyBackend both = closing(JettyBackend.tls("server", false, "h2", "http/1.1"));
        proxy(over(both.url(), ""));

        for (int i = 0; i < 3; i++) {
            assertThat(client().get("/").value("X-Protocol")).isEqualTo("HTTP/2.0");
        }
        assertThat(both.connections()).isEqualTo(1);
    }

    @Test
    void overTlsHttp1IsSpokenWhereTheServerOffersNothingElse() throws Exception {
        JettyBackend old = closing(JettyBackend.tls("server", false, "http/1.1"));
        proxy(over(old.url(), ""));

        assertThat(client().get("/").value("X-Protocol")).isEqualTo("HTTP/1.1");
    }

    @Test
    void itIsNotOfferedWhereItIsDisabled() throws Exception {
        JettyBackend both = closing(JettyBackend.tls("server", false, "h2", "http/1.1"));
        proxy(over(both.url(), "disableHTTP2: true"));

        assertThat(client().get("/").value("X-Protocol")).isEqualTo("HTTP/1.1");
    }

    @Test
    void anAnswerThatIsResetInItsBodyIsSeenBroken() throws Exception {
        JettyBackend backend = closing(JettyBackend.h2c());
        proxyTo(backend.url());

        try {
            // Where the reset was there before anything of the answer had gone out.
            assertThat(client().get("/?break").status()).isEqualTo(502);
        } catch (IOException e) {
            // The connection was closed in the middle of the answer.
        }
        awaitNothingInFlight();
        assertThat(client().get("/").status()).isEqualTo(200);
    }

    @Test
    void aLargeBodyGoesBothWays() throws Exception {
        JettyBackend backend = closing(JettyBackend.h2c());
        proxyTo(backend.url());
        String body = "0123456789".repeat(300_000);

        RawClient client = client();
        client.send("POST", "/", "Content-Length: " + body.length());
        Thread upload = new Thread(() -> {
            try {
                client.write(body);
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        });
        upload.start();
        assertThat(client.read("POST").body()).isEqualTo(body);
        upload.join();
    }
}
