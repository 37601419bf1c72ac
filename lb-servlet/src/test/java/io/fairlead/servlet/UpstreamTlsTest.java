package io.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code serversTransport}: whom is trusted, which name is checked, and who the proxy is. */
final class UpstreamTlsTest extends ContainerTest {
    @Test
    void aServerOfAnUnknownAuthorityIs502() throws Exception {
        JettyBackend backend = closing(JettyBackend.tls("server", false, "h2", "http/1.1"));
        proxyTo(backend.url());

        assertThat(client().get("/").status()).isEqualTo(502);
        assertThat(backend.pendingRequests()).isZero();
    }

    @Test
    void aServerOfATrustedAuthorityIsAnsweredByItsOwnName() throws Exception {
        JettyBackend backend = closing(JettyBackend.tls("server", false, "http/1.1"));
        proxy(UpstreamHttp2Test.over(backend.url().replace("127.0.0.1", "localhost"), ""));

        assertThat(client().get("/").status()).isEqualTo(200);
        assertThat(backend.request().authority()).isEqualTo("shop.example");
    }

    @Test
    void aCertificateForAnotherNameIs502() throws Exception {
        JettyBackend backend = closing(JettyBackend.tls("named", false, "h2", "http/1.1"));
        proxy(UpstreamHttp2Test.over(backend.url(), ""));

        assertThat(client().get("/").status()).isEqualTo(502);
    }

    @Test
    void theServerNameIsSentAndChecked() throws Exception {
        JettyBackend backend = closing(JettyBackend.tls("named", false, "h2", "http/1.1"));
        proxy(UpstreamHttp2Test.over(backend.url(), "serverName: orders.internal"));

        assertThat(client().get("/").status()).isEqualTo(200);
        JettyBackend.Seen seen = backend.request();
        assertThat(seen.sni()).contains("orders.internal");
        assertThat(seen.authority()).isEqualTo("shop.example");
    }

    @Test
    void theServersOwnNameDoesNotDoWhereAnotherIsAskedFor() throws Exception {
        JettyBackend backend = closing(JettyBackend.tls("server", false, "h2", "http/1.1"));
        proxy(UpstreamHttp2Test.over(backend.url(), "serverName: stock.internal"));

        assertThat(client().get("/").status()).isEqualTo(502);
    }

    @Test
    void nothingIsCheckedWhereThatIsAskedFor() throws Exception {
        JettyBackend backend = closing(JettyBackend.tls("named", false, "h2", "http/1.1"));
        proxy("""
                http:
                  services:
                    orders: {loadBalancer: {servers: [{url: "%s"}], serversTransport: t}}
                  serversTransports:
                    t: {insecureSkipVerify: true}
                """.formatted(backend.url()));

        assertThat(client().get("/").status()).isEqualTo(200);
    }

    @Test
    void aServerThatAsksForACertificateGetsIt(@TempDir Path directory) throws Exception {
        for (String file : new String[] {"client.pem", "client.pkcs1.key"}) {
            Files.writeString(directory.resolve(file), JettyBackend.pem(file));
        }
        JettyBackend backend = closing(JettyBackend.tls("server", true, "h2", "http/1.1"));
        String certificate = "certificates: [{certFile: \"%s\", keyFile: \"%s\"}]"
                .formatted(directory.resolve("client.pem"), directory.resolve("client.pkcs1.key"));
        proxy(UpstreamHttp2Test.over(backend.url(), certificate));

        assertThat(client().get("/").status()).isEqualTo(200);
    }

    @Test
    void aServerThatAsksForACertificateAndGetsNoneIs502() throws Exception {
        JettyBackend backend = closing(JettyBackend.tls("server", true, "h2", "http/1.1"));
        proxy(UpstreamHttp2Test.over(backend.url(), ""));

        assertThat(client().get("/").status()).isEqualTo(502);
        assertThat(backend.pendingRequests()).isZero();
    }

    @Test
    void noMoreConnectionsAreKeptThanIsAllowed() throws Exception {
        CountDownLatch all = new CountDownLatch(4);
        RawBackend backend = backend(peer -> {
            while (peer.readRequest()) {
                all.countDown();
                all.await();
                peer.write(answer(200, "x"));
            }
        });
        proxy("""
                http:
                  services:
                    orders: {loadBalancer: {servers: [{url: "%s"}], serversTransport: t}}
                  serversTransports:
                    t: {maxIdleConnsPerHost: 2}
                """.formatted(backend.url()));

        RawClient[] clients = {client(), client(), client(), client()};
        for (RawClient client : clients) {
            client.send("GET", "/");
        }
        for (RawClient client : clients) {
            assertThat(client.read("GET").body()).isEqualTo("x");
        }

        // Jetty's client may open one for a request that another one's then serves.
        assertThat(backend.connections()).isBetween(4, 2 * 4);
        Awaitility.await().until(() -> backend.openConnections() == 2);
    }

    @Test
    void withNoneToBeKeptEachRequestHasAConnectionOfItsOwn() throws Exception {
        RawBackend backend = backend(answer(200, "x"));
        proxy("""
                http:
                  services:
                    orders: {loadBalancer: {servers: [{url: "%s"}], serversTransport: t}}
                  serversTransports:
                    t: {maxIdleConnsPerHost: -1}
                """.formatted(backend.url()));

        for (int i = 0; i < 3; i++) {
            assertThat(client().get("/").body()).isEqualTo("x");
            assertThat(backend.request().value("Connection")).isEqualTo("close");
        }
        assertThat(backend.connections()).isEqualTo(3);
    }
}
