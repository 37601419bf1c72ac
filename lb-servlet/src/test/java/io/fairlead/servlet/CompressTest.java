package io.fairlead.servlet;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code compress}. */
final class CompressTest extends ContainerTest {
    private static final String TEXT = "some text that repeats ".repeat(100);

    private static String unpacked(RawMessage answer) throws IOException {
        return new String(new GZIPInputStream(new ByteArrayInputStream(answer.bytes())).readAllBytes(), ISO_8859_1);
    }

    private void proxyTo(RawBackend backend, String keys) throws Exception {
        proxy(through(backend.url(), "c: {compress: {" + keys + "}}"));
    }

    @Test
    void anAnswerIsPackedForAClientThatTakesIt() throws Exception {
        RawBackend backend = backend(answer(200, TEXT, "Content-Type: text/plain", "ETag: \"a\"", "Vary: Origin"));
        proxyTo(backend, "");

        RawMessage packed = client().get("/", "Accept-Encoding: deflate, gzip;q=0.5");
        assertThat(packed.value("Content-Encoding")).isEqualTo("gzip");
        // A container that has all of it may say so itself.
        assertThat(packed.value("Content-Length")).isNotEqualTo("" + TEXT.length());
        assertThat(packed.values("Vary")).containsExactly("Origin", "Accept-Encoding");
        assertThat(packed.value("ETag")).isEqualTo("W/\"a\"");
        assertThat(packed.bytes().length).isLessThan(TEXT.length() / 4);
        assertThat(unpacked(packed)).isEqualTo(TEXT);

        RawMessage plain = client().get("/");
        assertThat(plain.value("Content-Encoding")).isNull();
        assertThat(plain.values("Vary")).containsExactly("Origin", "Accept-Encoding");
        assertThat(plain.value("Content-Length")).isEqualTo("" + TEXT.length());
        assertThat(plain.value("ETag")).isEqualTo("\"a\"");
        assertThat(plain.body()).isEqualTo(TEXT);

        RawClient client = client();
        RawMessage head = client.exchange("HEAD", "/", "", "Accept-Encoding: gzip");
        assertThat(head.value("Content-Encoding")).isEqualTo("gzip");
        assertThat(head.value("Content-Length")).isNull();
    }

    @Test
    void conditionsAreAskedAndAnsweredByTheTagThatTheClientKnows() throws Exception {
        RawBackend backend = backend(peer -> {
            while (peer.readRequest()) {
                peer.write(head(304, "ETag: \"a\"") + "\r\n");
            }
        });
        proxyTo(backend, "");

        RawMessage packed = client().get("/", "Accept-Encoding: gzip", "If-None-Match: W/\"a\"");
        assertThat(packed.status()).isEqualTo(304);
        assertThat(packed.values("Vary")).containsExactly("Accept-Encoding");
        assertThat(packed.value("ETag")).isEqualTo("W/\"a\"");
        assertThat(backend.request().value("If-None-Match")).isEqualTo("W/\"a\"");
        RawMessage plain = client().get("/", "If-None-Match: \"a\"", "If-Match: W/\"a\"");
        assertThat(plain.values("Vary")).containsExactly("Accept-Encoding");
        assertThat(plain.value("ETag")).isEqualTo("\"a\"");
        assertThat(backend.request().value("If-Match")).isEqualTo("W/\"a\"");

        client().get("/", "Accept-Encoding: gzip", "If-Match: W/\"a\",\"bW/\", W/\"c,W/\"");
        assertThat(backend.request().value("If-Match")).isEqualTo("\"a\",\"bW/\", \"c,W/\"");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "gzip | true",
                "GZIP | true",
                "* | true",
                "identity;q=0, * | true",
                "gzip;q=0 | false",
                "gzip;q=0.000, * | false",
                "identity, gzip;q=0.5 | false",
                "br, zstd | false",
                "gzip;q=nonsense | false",
                "'' | false",
            })
    void theClientsWeightsDecide(String accepted, boolean packs) throws Exception {
        RawBackend backend = backend(answer(200, TEXT));
        proxyTo(backend, "");

        RawMessage answer = client().get("/", "Accept-Encoding: " + accepted);

        assertThat(answer.value("Content-Encoding")).isEqualTo(packs ? "gzip" : null);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "200 | Content-Encoding: br",
                "200 | Content-Encoding: gzip",
                "200 | Cache-Control: public, No-Transform",
                "206 | Content-Range: bytes 0-2299/5000",
                "200 | Content-Type: image/png",
                "200 | Content-Type: application/grpc+proto",
                "200 | Content-Type: Text/CSV; charset=utf-8",
            })
    void whatMustNotBePackedStays(int status, String field) throws Exception {
        RawBackend backend = backend(answer(status, TEXT, field));
        proxyTo(backend, "excludedContentTypes: [text/csv]");

        RawMessage answer = client().get("/", "Accept-Encoding: gzip");

        assertThat(answer.body()).isEqualTo(TEXT);
        assertThat(answer.value("Content-Length")).isEqualTo("" + TEXT.length());
    }

    @Test
    void onlyTheIncludedTypesAreAndOnlyWhatIsLongEnough() throws Exception {
        RawBackend backend = backend(peer -> {
            while (peer.readRequest()) {
                String target = peer.last().target();
                peer.write(answer(
                        200,
                        target.endsWith("short") ? "x".repeat(9) : "x".repeat(10),
                        "Content-Type: " + (target.startsWith("/json") ? "application/json; a=b" : "text/html")));
            }
        });
        proxyTo(backend, "includedContentTypes: [application/json], minResponseBodyBytes: 10");

        assertThat(client().get("/json", "Accept-Encoding: gzip").value("Content-Encoding"))
                .isEqualTo("gzip");
        assertThat(client().get("/json/short", "Accept-Encoding: gzip").value("Content-Encoding"))
                .isNull();
        assertThat(client().get("/html", "Accept-Encoding: gzip").value("Content-Encoding"))
                .isNull();
    }

    @Test
    void aDefaultIsForClientsThatSayNothing() throws Exception {
        RawBackend backend = backend(answer(200, TEXT));
        proxyTo(backend, "defaultEncoding: gzip");

        assertThat(unpacked(client().get("/"))).isEqualTo(TEXT);
        assertThat(client().get("/", "Accept-Encoding: identity").body()).isEqualTo(TEXT);
    }

    @Test
    void answersWithoutABodyStayWithoutOne() throws Exception {
        RawBackend backend = backend(peer -> {
            while (peer.readRequest()) {
                peer.write(
                        peer.last().target().equals("/204")
                                ? "HTTP/1.1 204 No Content\r\n\r\n"
                                : "HTTP/1.1 304 Not Modified\r\nETag: \"a\"\r\n\r\n");
            }
        });
        proxyTo(backend, "");

        RawClient client = client();
        for (String target : new String[] {"/204", "/304", "/204"}) {
            RawMessage answer = client.get(target, "Accept-Encoding: gzip");
            assertThat(answer.status()).isEqualTo(Integer.parseInt(target.substring(1)));
            assertThat(answer.value("Content-Encoding")).isNull();
        }
    }

    @Test
    void eachEventOfAStreamGoesOutAtOnce() throws Exception {
        RawBackend backend = backend(peer -> {
            peer.readRequest();
            peer.write(head(200, "Content-Type: text/event-stream") + "Transfer-Encoding: chunked\r\n\r\n");
            peer.write("9\r\ndata: 1\n\n\r\n");
            // The next one comes only when the first has been seen.
            while (peer.readHead() != null) {
                peer.write("9\r\ndata: 2\n\n\r\n");
            }
        });
        proxyTo(backend, "");

        RawClient client = client();
        client.send("GET", "/", "Accept-Encoding: gzip");
        RawMessage head = client.readHead();
        assertThat(head.value("Content-Encoding")).isEqualTo("gzip");
        GZIPInputStream events = new GZIPInputStream(new ChunkedStream(client.in()));
        assertThat(new String(events.readNBytes(9), ISO_8859_1)).isEqualTo("data: 1\n\n");
        backend.close();
    }

    @Test
    void aLargeAnswerIsPackedInPieces() throws Exception {
        byte[] block = new byte[64 * 1024];
        new Random(7).nextBytes(block);
        int blocks = 64;
        RawBackend backend = backend(peer -> {
            peer.readRequest();
            peer.write(head(200, "Content-Type: text/plain") + "Content-Length: " + blocks * block.length + "\r\n\r\n");
            for (int i = 0; i < blocks; i++) {
                peer.out().write(block);
            }
            peer.out().flush();
            peer.in().read();
        });
        proxyTo(backend, "");

        RawClient client = client();
        client.send("GET", "/", "Accept-Encoding: gzip");
        client.readHead();
        GZIPInputStream all = new GZIPInputStream(new ChunkedStream(client.in()));

        for (int i = 0; i < blocks; i++) {
            assertThat(all.readNBytes(block.length)).isEqualTo(block);
        }
        assertThat(all.read()).isNegative();
    }
}
