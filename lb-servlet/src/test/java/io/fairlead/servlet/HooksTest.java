package io.fairlead.servlet;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.servlet.middleware.BodyTransform;
import io.fairlead.servlet.middleware.Middleware;
import io.fairlead.servlet.middleware.OwnAnswer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Code of the user's own between the client and the servers. */
final class HooksTest extends ContainerTest {
    /** Makes lower-case letters upper-case ones. */
    private static final class Upper implements BodyTransform {
        @Override
        public void transform(ByteBuffer bytes, boolean last, Sink out) throws IOException {
            ByteBuffer upper = ByteBuffer.allocate(bytes.remaining());
            while (bytes.hasRemaining()) {
                byte b = bytes.get();
                upper.put(b >= 'a' && b <= 'z' ? (byte) (b - 32) : b);
            }
            out.accept(upper.flip());
        }
    }

    private static Middleware upper() {
        return request -> request.onAnswer(head -> head.transformBody(new Upper()));
    }

    private void proxyTo(RawBackend backend, Middleware... hooks) throws Exception {
        proxy(service("orders", "", backend.url()), hooks);
    }

    private static void awaitOne(AtomicInteger ends) {
        Awaitility.await()
                .pollInterval(Duration.ofMillis(5))
                .atMost(Duration.ofSeconds(10))
                .until(() -> ends.get() > 0);
        assertThat(ends).hasValue(1);
    }

    static byte[] gzip(String text) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(text.getBytes(ISO_8859_1));
        }
        return packed.toByteArray();
    }

    @Test
    void aRequestIsChangedBeforeItIsSent() throws Exception {
        RawBackend backend = backend(answer(200, "x"));
        proxyTo(backend, request -> {
            request.setPath("/v2" + request.path());
            request.setQuery(request.query() + "&b=2");
            request.setField("X-Old", "new");
            request.addField("X-More", "1");
            request.removeField("X-Secret");
            request.setField("Host", "inner.example");
        });

        client().get("/a%20b?a=1", "X-Old: old", "X-Old: older", "X-Secret: s");

        RawMessage sent = backend.request();
        assertThat(sent.target()).isEqualTo("/v2/a%20b?a=1&b=2");
        assertThat(sent.values("X-Old")).containsExactly("new");
        assertThat(sent.value("X-More")).isEqualTo("1");
        assertThat(sent.value("X-Secret")).isNull();
        assertThat(sent.value("Host")).isEqualTo("inner.example");
    }

    @Test
    void whatWouldSplitTheRequestOrClimbIsNotTakenForAPathOrAQuery() throws Exception {
        RawBackend backend = backend(answer(200, "x"));
        List<String> refused = new CopyOnWriteArrayList<>();
        List<String> paths = List.of(
                "/ HTTP/1.1\r\nX: y", "/a b", "/a\nb", "/a?b", "a", "", "/a/../b", "/%2e%2e/b", "/a\u0000", "/a\u007f");
        List<String> queries = List.of("a b", "a\r\nX: y", "\t");
        proxyTo(backend, request -> {
            paths.forEach(path -> tried(refused, path, () -> request.setPath(path)));
            paths.forEach(path -> tried(refused, path, () -> request.replacePath(path)));
            queries.forEach(query -> tried(refused, query, () -> request.setQuery(query)));
            request.onAnswer(head -> {
                paths.forEach(path -> tried(refused, path, () -> head.replaceBy("orders", path, null)));
                queries.forEach(query -> tried(refused, query, () -> head.replaceBy("orders", "/", query)));
            });
        });

        RawMessage answer = client().get("/good?q");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("x");
        assertThat(backend.request().target()).isEqualTo("/good?q");
        assertThat(refused).hasSize(3 * paths.size() + 2 * queries.size());
    }

    private static void tried(List<String> refused, String text, Runnable change) {
        try {
            change.run();
        } catch (IllegalArgumentException e) {
            refused.add(text);
        }
    }

    @Test
    void theHeadOfAnAnswerIsChangedFromTheInnermostHookToTheOutermost() throws Exception {
        RawBackend backend = backend(answer(200, "x", "X-Gone: 1", "X-Kept: a", "X-Kept: b"));
        proxyTo(
                backend,
                request -> request.onAnswer(head -> {
                    head.setField("X-Seen", head.field("X-Seen") + " outer");
                    head.setStatus(203);
                }),
                request -> request.onAnswer(head -> {
                    assertThat(head.isOwn()).isFalse();
                    head.setField("X-Seen", "inner");
                    head.removeField("x-gone");
                }));

        RawMessage answer = client().get("/");

        assertThat(answer.status()).isEqualTo(203);
        assertThat(answer.value("X-Seen")).isEqualTo("inner outer");
        assertThat(answer.value("X-Gone")).isNull();
        assertThat(answer.values("X-Kept")).containsExactly("a", "b");
        assertThat(answer.value("Content-Length")).isEqualTo("1");
        assertThat(answer.body()).isEqualTo("x");
    }

    @Test
    void aHookAnswersAndThoseBeforeItSeeIt() throws Exception {
        RawBackend backend = backend(answer(200, "x"));
        List<String> called = new CopyOnWriteArrayList<>();
        proxyTo(
                backend,
                request -> request.onAnswer(head -> {
                    called.add("outer " + head.status() + " " + head.isOwn());
                    head.setField("X-Outer", "1");
                }),
                request -> request.answer(OwnAnswer.of(403, "No \"entry\"").withField("X-Why", "so")),
                request -> called.add("never"));

        RawMessage answer = client().get("/");

        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.value("Content-Type")).isEqualTo("application/problem+json");
        assertThat(answer.body()).isEqualTo("{\"title\":\"No \\\"entry\\\"\",\"status\":403,\"service\":\"orders\"}");
        assertThat(answer.value("X-Why")).isEqualTo("so");
        assertThat(answer.value("X-Outer")).isEqualTo("1");
        assertThat(called).containsExactly("outer 403 true");
        assertThat(backend.connections()).isZero();
    }

    @Test
    void theProxysOwnFailureBecomesTheUsersAnswer() throws Exception {
        proxy(
                service("orders", "", "http://127.0.0.1:" + RawBackend.refusedPort()),
                request -> request.onAnswer(head -> {
                    if (head.isOwn() && head.status() == 502) {
                        head.replace(
                                OwnAnswer.of(200, "").withBody("text/plain", "come back later".getBytes(ISO_8859_1)));
                    }
                }));

        RawMessage answer = client().get("/");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.value("Content-Type")).startsWith("text/plain");
        assertThat(answer.body()).isEqualTo("come back later");
    }

    @Test
    void anAnswerOfAServerIsReplacedAndItsConnectionIsUsedAgain() throws Exception {
        RawBackend backend = backend(answer(500, "the inside"));
        proxyTo(
                backend,
                request -> request.onAnswer(head -> {
                    if (head.status() == 500) {
                        head.replace(OwnAnswer.of(503, "Out of order"));
                    }
                }));

        // Tomcat closes the client's connection after a 503.
        assertThat(client().get("/").body()).contains("Out of order").doesNotContain("inside");
        assertThat(client().exchange("POST", "/", "abc", "Content-Length: 3").status())
                .isEqualTo(503);
        for (int i = 0; i < 18; i++) {
            client().get("/");
        }

        awaitNothingInFlight();
        // The client may be quicker than the rest of the answer that is thrown away, but not always.
        assertThat(backend.connections()).isLessThan(20);
    }

    @Test
    void aClientThatDoesNotTakeALongAnswerKeepsNobodyWaiting() throws Exception {
        RawBackend backend = backend(peer -> {
            while (peer.readRequest()) {
                peer.write(answer(peer.last().target().equals("/long") ? 500 : 200, "x"));
            }
        });
        OwnAnswer large = OwnAnswer.of(503, "").withBody("text/plain", new byte[16 << 20]);
        proxyTo(
                backend,
                request -> request.onAnswer(head -> {
                    if (head.status() == 500) {
                        head.replace(large);
                    }
                }));

        RawClient slow = client();
        slow.send("GET", "/long");
        backend.request();

        for (int i = 0; i < 3; i++) {
            assertThat(client().get("/").body()).isEqualTo("x");
        }
        assertThat(slow.read("GET").bytes()).hasSize(16 << 20);
    }

    @Test
    void aWebSocketGoesThroughHooksAndEndsWithItsTunnel() throws Exception {
        RawBackend backend = backend(peer -> {
            peer.readHead();
            peer.write(head(
                            101,
                            "Upgrade: websocket",
                            "Connection: Upgrade",
                            "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
                    + "\r\n");
            peer.out().write(peer.in().readNBytes(5));
            peer.out().flush();
            peer.in().read();
        });
        AtomicInteger ends = new AtomicInteger();
        proxyTo(
                backend,
                upper(),
                request -> request.onEnd(ends::incrementAndGet),
                request -> request.onAnswer(head -> head.setField("X-Status", "" + head.status())));

        // The key of RFC 6455, 1.3.
        RawClient client = client();
        client.send(
                "GET",
                "/",
                "Upgrade: websocket",
                "Connection: Upgrade",
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
                "Sec-WebSocket-Version: 13");
        RawMessage head = client.readHead();
        client.write("hello");

        assertThat(head.status()).isEqualTo(101);
        assertThat(head.value("X-Status")).isEqualTo("101");
        assertThat(new String(client.in().readNBytes(5), ISO_8859_1)).isEqualTo("hello");
        assertThat(ends).hasValue(0);
        client.close();
        awaitOne(ends);
    }

    @Test
    void aBodyIsChangedAsItPassesAndItsLengthIsNotAnnounced() throws Exception {
        RawBackend backend = backend(answer(200, "small", "ETag: \"1\"", "Accept-Ranges: bytes"));
        proxyTo(
                backend,
                upper(),
                request -> request.onAnswer(head -> head.transformBody(new BodyTransform() {
                    @Override
                    public void transform(ByteBuffer bytes, boolean last, Sink out) throws IOException {
                        out.accept(bytes);
                        if (last) {
                            out.accept(ByteBuffer.wrap(" end".getBytes(ISO_8859_1)));
                        }
                    }
                })));

        RawMessage answer = client().get("/");

        assertThat(answer.body()).isEqualTo("SMALL END");
        assertThat(answer.value("ETag")).isEqualTo("W/\"1\"");
        assertThat(answer.value("Accept-Ranges")).isNull();
        RawMessage head = client().exchange("HEAD", "/", "");
        assertThat(head.value("Content-Length")).isNull();
        assertThat(head.value("ETag")).isEqualTo("W/\"1\"");
    }

    @Test
    void aLargeBodyIsChangedInPiecesAtThePaceOfTheClient() throws Exception {
        int size = 16 << 20;
        RawBackend backend = backend(peer -> {
            peer.readRequest();
            peer.write(head(200) + "Content-Length: " + size + "\r\n\r\n");
            byte[] block = "abcdefgh".repeat(8192).getBytes(ISO_8859_1);
            for (int sent = 0; sent < size; sent += block.length) {
                peer.out().write(block);
            }
            peer.out().flush();
            peer.in().read();
        });
        AtomicInteger changed = new AtomicInteger();
        proxyTo(
                backend,
                upper(),
                request -> request.onAnswer(head -> head.transformBody((bytes, last, out) -> {
                    changed.addAndGet(bytes.remaining());
                    out.accept(bytes);
                })));

        RawClient client = client();
        client.send("GET", "/");
        client.readHead();
        AtomicInteger last = new AtomicInteger();
        Awaitility.await()
                .pollInterval(Duration.ofMillis(60))
                .atMost(Duration.ofSeconds(10))
                .until(() -> changed.get() > 0 && last.getAndSet(changed.get()) == changed.get());
        int before = changed.get();
        assertThat(before).isLessThan(size / 2);
        long seen = 0;
        InputStream in = client.in();
        while (seen < size) {
            int length = Integer.parseInt(RawMessage.line(in), 16);
            byte[] chunk = in.readNBytes(length);
            for (int i = 0; i < length; i += 997) {
                assertThat(chunk[i]).isEqualTo((byte) ('A' + (seen + i) % 8));
            }
            seen += length;
            RawMessage.line(in);
        }
        assertThat(seen).isEqualTo(size);
    }

    @Test
    void eachPieceOfAChangedStreamGoesOutAtOnce() throws Exception {
        RawBackend backend = backend(peer -> {
            peer.readRequest();
            peer.write(head(200, "Content-Type: text/event-stream") + "Transfer-Encoding: chunked\r\n\r\n");
            peer.write("5\r\none\n\n\r\n");
            peer.readHead();
        });
        proxyTo(backend, upper());

        RawClient client = client();
        client.send("GET", "/");
        client.readHead();

        assertThat(RawMessage.line(client.in())).isEqualTo("5");
        assertThat(RawMessage.line(client.in())).isEqualTo("ONE");
        backend.close();
    }

    @Test
    void aPackedBodyIsChangedUnpackedAndPackedAgain() throws Exception {
        byte[] packed = gzip("some text ".repeat(20_000));
        RawBackend backend = backend(peer -> {
            while (peer.readRequest()) {
                peer.write(head(200, "Content-Encoding: gzip") + "Content-Length: " + packed.length + "\r\n\r\n");
                peer.out().write(packed);
                peer.out().flush();
            }
        });
        proxyTo(backend, request -> request.onAnswer(head -> head.transformDecodedBody(new Upper())));

        RawClient client = client();
        client.send("GET", "/", "Accept-Encoding: gzip");
        RawMessage answer = client.read("GET");

        assertThat(answer.value("Content-Encoding")).isEqualTo("gzip");
        assertThat(new String(new GZIPInputStream(new ByteArrayInputStream(answer.bytes())).readAllBytes(), ISO_8859_1))
                .isEqualTo("SOME TEXT ".repeat(20_000));
    }

    @Test
    void aBodyInACodingThatIsNotUnpackedIsLeftAlone() throws Exception {
        RawBackend backend = backend(answer(200, "abc", "Content-Encoding: br"));
        List<Boolean> done = new CopyOnWriteArrayList<>();
        proxyTo(backend, request -> request.onAnswer(head -> done.add(head.transformDecodedBody(new Upper()))));

        assertThat(client().get("/").body()).isEqualTo("abc");
        assertThat(done).containsExactly(false);
    }

    @Test
    void brokenGzipIsAFailureAndNoAnswer() throws Exception {
        RawBackend backend = backend(answer(200, "this is not gzip", "Content-Encoding: gzip"));
        proxyTo(backend, request -> request.onAnswer(head -> head.transformDecodedBody(new Upper())));

        RawMessage answer = client().get("/");

        assertThat(answer.status()).isEqualTo(502);
        assertThat(answer.value("Content-Encoding")).isNull();
        assertThat(answer.value("Content-Type")).isEqualTo("application/problem+json");
    }

    @Test
    void aHookThatThrowsIsA500AndNoHang() throws Exception {
        RawBackend backend = backend(answer(200, "x"));
        AtomicInteger ends = new AtomicInteger();
        proxyTo(
                backend,
                request -> request.onEnd(ends::incrementAndGet),
                request -> {
                    if (request.path().equals("/before")) {
                        throw new IllegalStateException("secret");
                    }
                },
                request -> request.onAnswer(head -> {
                    if (request.path().equals("/head")) {
                        throw new IllegalStateException("secret");
                    }
                    if (request.path().equals("/error")) {
                        throw new AssertionError("secret");
                    }
                    if (request.path().equals("/field")) {
                        head.setField("X-A", "a\r\nX-B: b");
                    }
                }));

        for (String path : List.of("/before", "/head", "/error", "/field")) {
            RawMessage answer = client().get(path);
            assertThat(answer.status()).as(path).isEqualTo(500);
            assertThat(answer.value("Content-Type")).isEqualTo("application/problem+json");
            assertThat(answer.toString()).doesNotContain("secret").doesNotContain("X-B");
        }
        assertThat(client().get("/").status()).isEqualTo(200);
        awaitNothingInFlight();
        Awaitility.await().until(() -> ends.get() == 5);
    }

    @Test
    void aTransformThatThrowsIsA502WhereNothingWasSentAndABrokenAnswerElse() throws Exception {
        CountDownLatch read = new CountDownLatch(1);
        RawBackend backend = backend(peer -> {
            while (peer.readRequest()) {
                peer.write(head(200) + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n");
                if (peer.last().target().equals("/later")) {
                    read.await();
                }
                peer.write("3\r\nxyz\r\n0\r\n\r\n");
            }
        });
        proxyTo(
                backend,
                request -> request.onAnswer(head -> head.transformBody((bytes, last, out) -> {
                    byte first = bytes.hasRemaining() ? bytes.get(bytes.position()) : 0;
                    if (first == (request.path().equals("/first") ? 'a' : 'x')) {
                        throw new IOException("secret");
                    }
                    out.accept(bytes);
                })));

        assertThat(client().get("/first").status()).isEqualTo(502);
        RawClient client = client();
        client.send("GET", "/later");
        assertThat(client.readHead().status()).isEqualTo(200);
        assertThat(RawMessage.line(client.in())).isEqualTo("3");
        assertThat(new String(client.in().readNBytes(3), ISO_8859_1)).isEqualTo("abc");
        read.countDown();
        assertThat(restOf(client)).isIn("", "\r\n");
        awaitNothingInFlight();
    }

    private static String restOf(RawClient client) throws IOException {
        ByteArrayOutputStream rest = new ByteArrayOutputStream();
        try {
            client.in().transferTo(rest);
        } catch (SocketException e) {
            // Reset, which is a broken answer, too.
        }
        return rest.toString(ISO_8859_1);
    }

    @Test
    void theEndIsToldOnceWhateverHappens() throws Exception {
        RawBackend backend = backend(peer -> {
            while (peer.readRequest()) {
                switch (peer.last().target()) {
                    case "/good" -> peer.write(answer(200, "x"));
                    case "/empty" -> peer.write("HTTP/1.1 204 No Content\r\n\r\n");
                    case "/broken" -> {
                        peer.write(head(200) + "Content-Length: 10\r\n\r\nabc");
                        return;
                    }
                    case "/none" -> {
                        return;
                    }
                    default -> {
                        peer.write(head(200) + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n");
                        while (true) {
                            peer.write("3\r\nabc\r\n");
                        }
                    }
                }
            }
        });
        AtomicInteger ends = new AtomicInteger();
        proxyTo(
                backend,
                request -> request.onEnd(ends::incrementAndGet),
                request -> request.onEnd(() -> {
                    throw new IllegalStateException("told, and no harm");
                }),
                request -> {
                    if (request.path().equals("/own")) {
                        request.answer(OwnAnswer.empty(302).withField("Location", "/x"));
                    }
                });

        for (String path : List.of("/good", "/empty", "/own", "/none")) {
            ends.set(0);
            client().get(path);
            awaitOne(ends);
        }
        ends.set(0);
        // A 502 where the server was quick enough, else a broken answer.
        client().send("GET", "/broken");
        awaitOne(ends);
        ends.set(0);
        try (RawClient client = new RawClient(port())) {
            client.send("GET", "/endless");
            client.readHead();
        }
        awaitOne(ends);
        ends.set(0);
        balancers().all().iterator().next().fence(backend.url().substring("http://".length()));
        assertThat(client().get("/good").status()).isEqualTo(503);
        awaitOne(ends);
    }

    @Test
    void aBodyWithoutALengthIsRefusedWhenItIsLongerThanAllowed() throws Exception {
        RawBackend backend = backend(answer(200, "x"));
        proxyTo(backend, request -> request.limitBody(10));

        assertThat(client().exchange("POST", "/", "a\r\n0123456789\r\n0\r\n\r\n", "Transfer-Encoding: chunked")
                        .status())
                .isEqualTo(200);
        RawMessage answer =
                client().exchange("POST", "/", "b\r\n0123456789a\r\n0\r\n\r\n", "Transfer-Encoding: chunked");
        assertThat(answer.status()).isEqualTo(413);
        assertThat(answer.value("Content-Type")).isEqualTo("application/problem+json");
        awaitNothingInFlight();
    }

    private static String withPages(RawBackend orders, RawBackend pages) {
        return """
                http:
                  routers:
                    all: {rule: "PathPrefix(`/`)", service: orders}
                  services:
                    orders: {loadBalancer: {servers: [{url: "%s"}]}}
                    Pages: {loadBalancer: {servers: [{url: "%s"}]}}
                """.formatted(orders.url(), pages.url());
    }

    private static Middleware page() {
        return request -> request.onAnswer(head -> {
            if (head.status() >= 500) {
                head.replaceBy("pages", "/" + head.status() + ".html", "q=1");
            }
        });
    }

    @Test
    void anotherServiceGivesTheBodyAndTheStatusStays() throws Exception {
        RawBackend orders = backend(answer(503, "the inside", "X-Inside: 1"));
        RawBackend pages = backend(answer(200, "sorry", "Content-Type: text/html", "X-Page: 1"));
        proxy(
                withPages(orders, pages),
                request -> request.onAnswer(head -> head.setField("X-Outer", head.status() + " " + head.isOwn())),
                page());

        RawMessage answer = client().exchange("POST", "/a", "abc", "Content-Length: 3", "Range: bytes=0-1");

        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.body()).isEqualTo("sorry");
        assertThat(answer.value("X-Page")).isEqualTo("1");
        assertThat(answer.value("X-Inside")).isNull();
        assertThat(answer.value("X-Outer")).isEqualTo("503 false");
        RawMessage asked = pages.request();
        assertThat(asked.startLine()).isEqualTo("GET /503.html?q=1 HTTP/1.1");
        assertThat(asked.value("Range")).isNull();
        assertThat(asked.value("Content-Length")).isNull();
        assertThat(asked.value("Transfer-Encoding")).isNull();
        assertThat(client().exchange("HEAD", "/a", "").status()).isEqualTo(503);
        awaitNothingInFlight();
    }

    @Test
    void theProxysOwnFailureGetsThePageToo() throws Exception {
        RawBackend orders = backend(peer -> peer.readRequest());
        RawBackend pages = backend(answer(200, "sorry"));
        proxy(withPages(orders, pages), page());

        RawMessage answer = client().get("/a");

        assertThat(answer.status()).isEqualTo(502);
        assertThat(answer.body()).isEqualTo("sorry");
        assertThat(pages.request().target()).isEqualTo("/502.html?q=1");
        String id = orders.url().substring("http://".length());
        balancers().get("orders").fence(id);
        RawMessage noServer = client().get("/a");
        assertThat(noServer.status()).isEqualTo(503);
        assertThat(noServer.body()).isEqualTo("sorry");
    }

    @Test
    void withoutThePageTheAnswerIsTheProxysOwn() throws Exception {
        RawBackend orders = backend(answer(503, "the inside"));
        RawBackend pages = backend(peer -> peer.readRequest());
        proxy(withPages(orders, pages), page());

        RawMessage broken = client().get("/a");
        balancers().get("pages").fence(pages.url().substring("http://".length()));
        RawMessage none = client().get("/a");

        for (RawMessage answer : List.of(broken, none)) {
            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.value("Content-Type")).isEqualTo("application/problem+json");
            assertThat(answer.body()).contains("\"status\":503");
        }
        awaitNothingInFlight();
    }
}
