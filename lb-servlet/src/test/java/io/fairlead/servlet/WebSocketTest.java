package io.fairlead.servlet;

import static io.fairlead.servlet.WebSocketFrames.BINARY;
import static io.fairlead.servlet.WebSocketFrames.CLOSE;
import static io.fairlead.servlet.WebSocketFrames.CONTINUATION;
import static io.fairlead.servlet.WebSocketFrames.PING;
import static io.fairlead.servlet.WebSocketFrames.PONG;
import static io.fairlead.servlet.WebSocketFrames.TEXT;
import static io.fairlead.servlet.WebSocketFrames.ofClient;
import static io.fairlead.servlet.WebSocketFrames.ofServer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** WebSockets go through as they are. */
@Isolated("counts threads")
final class WebSocketTest extends ContainerTest {
    /** The key of RFC 6455, 1.3, and its answer. */
    private static final String KEY = "dGhlIHNhbXBsZSBub25jZQ==";

    private static final String ACCEPT = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";

    private static final String SWITCHING = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
            + "Connection: Upgrade\r\nSec-WebSocket-Accept: " + ACCEPT + "\r\n";

    private static final int MIB = 1024 * 1024;

    private final BlockingQueue<byte[]> seen = new LinkedBlockingQueue<>();

    private static String[] handshake(String... more) {
        List<String> fields = new ArrayList<>(List.of(
                "Upgrade: websocket",
                "Connection: keep-alive, Upgrade",
                "Sec-WebSocket-Key: " + KEY,
                "Sec-WebSocket-Version: 13"));
        fields.addAll(List.of(more));
        return fields.toArray(new String[0]);
    }

    private RawClient open(String target, String... more) throws IOException {
        RawClient client = client();
        client.send("GET", target, handshake(more));
        RawMessage head = client.readHead();
        assertThat(head.status()).as(head.toString()).isEqualTo(101);
        return client;
    }

    private static void accept(RawBackend.Peer peer) throws IOException {
        if (peer.readHead() != null) {
            peer.write(SWITCHING + "\r\n");
        }
    }

    /** A server that keeps what it is sent until the end of input, and then says so. */
    private RawBackend echo() throws IOException {
        return backend(peer -> {
            accept(peer);
            byte[] some = new byte[8192];
            for (int n = peer.in().read(some); n >= 0; n = peer.in().read(some)) {
                peer.out().write(some, 0, n);
                peer.out().flush();
            }
        });
    }

    private void awaitNoConnection(RawBackend backend) {
        Awaitility.await()
                .pollInterval(Duration.ofMillis(5))
                .atMost(Duration.ofSeconds(10))
                .until(() -> backend.openConnections() == 0);
    }

    @Test
    void theHandshakeGoesThroughWithItsFields() throws Exception {
        RawBackend backend = backend(peer -> {
            peer.readHead();
            peer.write(SWITCHING + "Sec-WebSocket-Protocol: superchat\r\n"
                    + "Sec-WebSocket-Extensions: permessage-deflate\r\nSet-Cookie: a=1\r\nX-Own: 1\r\n\r\n");
            peer.in().read();
        });
        proxyTo(backend.url());
        RawClient client = client();

        client.send(
                "GET",
                "/chat?room=1",
                handshake(
                        "Sec-WebSocket-Protocol: chat, superchat",
                        "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits",
                        "Origin: http://shop.example"));
        RawMessage answer = client.readHead();
        RawMessage sent = backend.request();

        assertThat(sent.startLine()).isEqualTo("GET /chat?room=1 HTTP/1.1");
        assertThat(sent.value("Upgrade")).isEqualTo("websocket");
        assertThat(sent.value("Connection")).isEqualTo("Upgrade");
        assertThat(sent.value("Sec-WebSocket-Key")).isEqualTo(KEY);
        assertThat(sent.value("Sec-WebSocket-Version")).isEqualTo("13");
        assertThat(sent.value("Sec-WebSocket-Protocol")).isEqualTo("chat, superchat");
        assertThat(sent.value("Sec-WebSocket-Extensions")).isEqualTo("permessage-deflate; client_max_window_bits");
        assertThat(sent.value("Origin")).isEqualTo("http://shop.example");
        assertThat(sent.value("Host")).isEqualTo("shop.example");
        assertThat(sent.value("X-Forwarded-For")).isEqualTo("127.0.0.1");
        assertThat(answer.status()).isEqualTo(101);
        assertThat(answer.value("Upgrade")).isEqualTo("websocket");
        // Tomcat adds its own word.
        assertThat(answer.value("Connection")).matches("(?i)upgrade(, keep-alive)?");
        assertThat(answer.value("Sec-WebSocket-Accept")).isEqualTo(ACCEPT);
        assertThat(answer.value("Sec-WebSocket-Protocol")).isEqualTo("superchat");
        assertThat(answer.value("Sec-WebSocket-Extensions")).isEqualTo("permessage-deflate");
        assertThat(answer.value("Set-Cookie")).isEqualTo("a=1");
        assertThat(answer.value("X-Own")).isEqualTo("1");
        assertThat(answer.values("Transfer-Encoding")).isEmpty();
        assertThat(answer.values("Content-Length")).isEmpty();
    }

    /** Valid and invalid ones: what to make of them is the business of the two ends. */
    @Test
    void everyKindOfFrameGoesThroughByteForByte() throws Exception {
        byte[] large = new byte[MIB];
        new Random(7).nextBytes(large);
        byte[] medium = Arrays.copyOf(large, 70_000);
        List<List<WebSocketFrames>> cases = new ArrayList<>();
        for (boolean client : new boolean[] {true, false}) {
            List<WebSocketFrames> of = new ArrayList<>();
            for (int i = 0; i < 14; i++) {
                of.add(client ? ofClient() : ofServer());
            }
            of.get(0).text("").text("x".repeat(125)).text("y".repeat(126)).text("z".repeat(65535));
            of.get(1).add(BINARY, true, medium).add(BINARY, true, large);
            of.get(2)
                    .add(TEXT, false, "frag".getBytes(StandardCharsets.UTF_8))
                    .add(PING, true, new byte[] {1, 2})
                    .add(CONTINUATION, false, new byte[0])
                    .add(PONG, true, new byte[0])
                    .add(CONTINUATION, true, "mented".getBytes(StandardCharsets.UTF_8));
            of.get(3).add(PING, true, new byte[125]).add(PONG, true, "unasked".getBytes(StandardCharsets.UTF_8));
            of.get(4).close(1000, "bye");
            of.get(5).close(1001, "");
            of.get(6).close(3000, "library");
            of.get(7).close(4999, "ü".repeat(60));
            of.get(8).add(CLOSE, true, new byte[0]);
            // A reserved opcode; reserved bits; a ping that is too long, and one in fragments; no UTF-8; a length of
            // 2^63.
            of.get(9).add(3, true, new byte[] {1}).add(11, true, new byte[0]).raw(0xF1, 0x00);
            of.get(10).add(PING, true, new byte[126]).add(PING, false, new byte[1]);
            of.get(11)
                    .add(TEXT, true, new byte[] {(byte) 0xC0, (byte) 0xAF})
                    .close(999, "")
                    .add(CLOSE, true, new byte[1]);
            of.get(12).raw(0x82, client ? 0xFF : 0x7F, 0x80, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4);
            of.get(13).add(CONTINUATION, true, new byte[] {9}).raw(0x81);
            cases.add(of);
        }
        BlockingQueue<byte[]> toSend = new LinkedBlockingQueue<>();
        BlockingQueue<Integer> toRead = new LinkedBlockingQueue<>();
        RawBackend backend = backend(peer -> {
            accept(peer);
            seen.add(peer.in().readNBytes(toRead.take()));
            peer.out().write(toSend.take());
            peer.out().flush();
            seen.add(peer.in().readAllBytes());
        });
        proxyTo(backend.url());

        for (int i = 0; i < cases.get(0).size(); i++) {
            byte[] up = cases.get(0).get(i).bytes();
            byte[] down = cases.get(1).get(i).bytes();
            toRead.add(up.length);
            toSend.add(down);
            try (RawClient client = open("/")) {
                client.out().write(up);
                client.out().flush();
                assertThat(seen.poll(10, TimeUnit.SECONDS)).as("case " + i).isEqualTo(up);
                assertThat(client.in().readNBytes(down.length)).as("case " + i).isEqualTo(down);
            }
            assertThat(seen.poll(10, TimeUnit.SECONDS)).as("case " + i).isEmpty();
        }
        awaitNothingInFlight();
    }

    @Test
    void framesRightBehindTheHeadsAreNotLost() throws Exception {
        byte[] early = ofClient().text("early").bytes();
        byte[] greeting = ofServer().text("hello").bytes();
        RawBackend backend = backend(peer -> {
            peer.readHead();
            peer.write(SWITCHING + "\r\n" + new String(greeting, StandardCharsets.ISO_8859_1));
            seen.add(peer.in().readNBytes(early.length));
        });
        proxyTo(backend.url());
        RawClient client = client();

        client.write("GET / HTTP/1.1\r\nHost: a\r\n" + String.join("\r\n", handshake()) + "\r\n\r\n"
                + new String(early, StandardCharsets.ISO_8859_1));

        assertThat(client.readHead().status()).isEqualTo(101);
        assertThat(client.in().readNBytes(greeting.length)).isEqualTo(greeting);
        assertThat(seen.poll(10, TimeUnit.SECONDS)).isEqualTo(early);
        assertThat(client.in().read()).isEqualTo(-1);
        client.close();
        awaitNothingInFlight();
    }

    @Test
    void aClientThatEndsItsInputStillGetsWhatTheServerSends() throws Exception {
        byte[] last = ofServer().text("last words").close(1000, "").bytes();
        RawBackend backend = backend(peer -> {
            accept(peer);
            seen.add(peer.in().readAllBytes());
            peer.out().write(last);
            peer.out().flush();
        });
        proxyTo(backend.url());
        RawClient client = open("/");

        client.out().write(ofClient().close(1000, "").bytes());
        client.socket().shutdownOutput();

        assertThat(seen.poll(10, TimeUnit.SECONDS))
                .isEqualTo(ofClient().close(1000, "").bytes());
        assertThat(client.in().readAllBytes()).isEqualTo(last);
        awaitNothingInFlight();
    }

    @Test
    void aServerThatEndsItsOutputStillGetsWhatTheClientSends() throws Exception {
        byte[] last = ofClient().text("last words").bytes();
        RawBackend backend = backend(peer -> {
            accept(peer);
            peer.out().write(ofServer().close(1001, "").bytes());
            peer.out().flush();
            peer.socket().shutdownOutput();
            seen.add(peer.in().readAllBytes());
        });
        proxyTo(backend.url());
        RawClient client = open("/");

        assertThat(client.in().readAllBytes())
                .isEqualTo(ofServer().close(1001, "").bytes());
        client.out().write(last);
        client.out().flush();
        client.socket().shutdownOutput();

        assertThat(seen.poll(10, TimeUnit.SECONDS)).isEqualTo(last);
        awaitNothingInFlight();
    }

    @Test
    void aClientThatVanishesTakesTheServersConnectionWithIt() throws Exception {
        RawBackend backend = echo();
        proxyTo(backend.url());

        open("/").close();
        RawClient reset = open("/");
        reset.socket().setSoLinger(true, 0);
        reset.close();

        awaitNoConnection(backend);
        awaitNothingInFlight();
    }

    @Test
    void aServerThatBreaksOffTakesTheClientsConnectionWithIt() throws Exception {
        CountDownLatch mayBreak = new CountDownLatch(1);
        RawBackend backend = backend(peer -> {
            accept(peer);
            mayBreak.await();
            peer.reset();
        });
        proxyTo(backend.url());
        RawClient client = open("/");
        assertThat(inFlight()).isEqualTo(1);

        mayBreak.countDown();

        try {
            assertThat(client.in().read()).isEqualTo(-1);
        } catch (SocketException e) {
            assertThat(e).hasMessageContaining("reset");
        }
        awaitNothingInFlight();
    }

    @Test
    void anAnswerThatIsNoUpgradeIsPassedOnAndTheConnectionStaysHttp() throws Exception {
        RawBackend backend = backend(answer(426, "too old", "Sec-WebSocket-Version: 13"));
        proxyTo(backend.url());
        RawClient client = client();

        client.send("GET", "/", handshake());
        RawMessage refused = client.read("GET");
        RawMessage next = client.get("/");

        assertThat(refused.status()).isEqualTo(426);
        assertThat(refused.body()).isEqualTo("too old");
        assertThat(refused.value("Sec-WebSocket-Version")).isEqualTo("13");
        assertThat(refused.values("Upgrade")).isEmpty();
        assertThat(next.status()).isEqualTo(426);
        awaitNothingInFlight();
    }

    @Test
    void aHandshakeThatNoServerTakesGoesToTheNextOneAndThenIsRefused() throws Exception {
        RawBackend backend = echo();
        proxyTo("http://127.0.0.1:" + RawBackend.refusedPort(), backend.url());

        for (int i = 0; i < 3; i++) {
            open("/").close();
        }
        backend.close();

        RawClient client = client();
        client.send("GET", "/", handshake());
        assertThat(client.read("GET").status()).isEqualTo(502);
        awaitNothingInFlight();
    }

    @Test
    void aChangeOfProtocolThatNobodyAskedForIsABrokenAnswer() throws Exception {
        RawBackend backend = backend(peer -> {
            while (peer.readHead() != null) {
                peer.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n");
            }
        });
        proxyTo(backend.url());
        RawClient client = client();

        client.send("GET", "/", handshake());

        assertThat(client.read("GET").status()).isEqualTo(502);
        assertThat(client().get("/").status()).isEqualTo(502);
        awaitNothingInFlight();
    }

    @Test
    void noOtherProtocolThanWebSocketIsChangedTo() throws Exception {
        RawBackend backend = backend(answer(200, "plain"));
        proxyTo(backend.url());

        assertThat(client().get("/", "Upgrade: foo/2", "Connection: Upgrade").body())
                .isEqualTo("plain");
        assertThat(client().exchange("POST", "/", "x", handshake("Content-Length: 1"))
                        .body())
                .isEqualTo("plain");
        assertThat(client().exchange("GET", "/", "x", handshake("Content-Length: 1"))
                        .body())
                .isEqualTo("plain");

        for (int i = 0; i < 3; i++) {
            RawMessage sent = backend.request();
            assertThat(sent.values("Upgrade")).isEmpty();
            assertThat(sent.values("Connection")).doesNotContain("Upgrade");
        }
    }

    @Test
    void aPeerThatDoesNotReadStopsTheOneThatWrites() throws Exception {
        int total = 48 * MIB;
        AtomicLong written = new AtomicLong();
        CompletableFuture<Long> read = new CompletableFuture<>();
        CountDownLatch mayRead = new CountDownLatch(1);
        RawBackend backend = backend(peer -> {
            accept(peer);
            send(peer.out(), total, written);
            mayRead.await();
            read.complete(drain(peer.in(), total));
        });
        proxyTo(backend.url());
        RawClient client = open("/");

        long down = awaitStandstill(written);
        assertThat(down).isLessThan(total - MIB);
        assertThat(drain(client.in(), total)).isEqualTo(total);

        AtomicLong sent = new AtomicLong();
        CompletableFuture<Void> sending = CompletableFuture.runAsync(() -> {
            try {
                send(client.out(), total, sent);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
        assertThat(awaitStandstill(sent)).isLessThan(total - MIB);
        mayRead.countDown();
        assertThat(read.get(20, TimeUnit.SECONDS)).isEqualTo(total);
        sending.get();
        client.close();
        awaitNothingInFlight();
    }

    private static void send(OutputStream out, int total, AtomicLong written) throws IOException {
        byte[] some = new byte[64 * 1024];
        for (int left = total; left > 0; left -= some.length) {
            out.write(some);
            written.addAndGet(some.length);
        }
        out.flush();
    }

    private static long drain(InputStream in, int total) throws IOException {
        byte[] some = new byte[64 * 1024];
        long read = 0;
        while (read < total) {
            int n = in.read(some);
            if (n < 0) {
                break;
            }
            read += n;
        }
        return read;
    }

    private static long awaitStandstill(AtomicLong counter) {
        long[] last = {-1};
        Awaitility.await()
                .pollInterval(Duration.ofMillis(150))
                .atMost(Duration.ofSeconds(15))
                .until(() -> {
                    long now = counter.get();
                    boolean still = now > 0 && now == last[0];
                    last[0] = now;
                    return still;
                });
        return last[0];
    }

    @Test
    void aTunnelCountsAsInFlightAndGoesOnWhenItsServerIsFenced() throws Exception {
        RawBackend a = echo();
        proxyTo(a.url());
        RawClient client = open("/");
        String id = balancers().get("orders").snapshot().endpoints().get(0).id();
        assertThat(inFlight()).isEqualTo(1);

        balancers().get("orders").fence(id);

        RawClient other = client();
        other.send("GET", "/", handshake());
        assertThat(other.read("GET").status()).isEqualTo(503);
        byte[] frame = ofClient().text("still here").bytes();
        client.out().write(frame);
        assertThat(client.in().readNBytes(frame.length)).isEqualTo(frame);
        assertThat(inFlight()).isEqualTo(1);
        client.close();
        awaitNothingInFlight();
        assertThat(balancers().get("orders").snapshot().endpoints().get(0).failures())
                .isZero();
    }

    @Test
    void middlewaresAndStickyCookiesApplyToTheHandshake() throws Exception {
        RawBackend a = echo();
        RawBackend b = echo();
        proxy("""
                http:
                  services:
                    orders:
                      loadBalancer:
                        servers: [{url: "%s"}, {url: "%s"}]
                        sticky: {cookie: {name: lb}}
                  middlewares: {strip: {stripPrefix: {prefixes: ["/ws"]}}}
                  routers: {all: {rule: "PathPrefix(`/ws`)", service: orders, middlewares: [strip]}}
                """.formatted(a.url(), b.url()));
        RawClient first = client();
        first.send("GET", "/ws/chat", handshake());
        RawMessage head = first.readHead();
        String set = head.value("Set-Cookie");
        RawBackend had = a.pendingRequests() == 1 ? a : b;
        assertThat(had.request().target()).isEqualTo("/chat");

        for (int i = 0; i < 3; i++) {
            open("/ws/chat", "Cookie: " + set.substring(0, set.indexOf(';'))).close();
            assertThat(had.request().target()).isEqualTo("/chat");
        }

        assertThat(head.status()).isEqualTo(101);
        assertThat(set).startsWith("lb=");
    }

    @Test
    void aServerIsSpokenToOverTls() throws Exception {
        byte[] frame = ofClient().text("secret").bytes();
        RawBackend backend = closing(RawBackend.running(TestTls.serverSocket(), peer -> {
            accept(peer);
            peer.out().write(peer.in().readNBytes(frame.length));
            peer.out().flush();
        }));
        proxy(UpstreamHttp2Test.over(backend.url().replace("http:", "https:"), ""));
        RawClient client = open("/");

        client.out().write(frame);

        assertThat(client.in().readAllBytes()).isEqualTo(frame);
        client.close();
        awaitNothingInFlight();
    }

    @Test
    void manyTunnelsHoldNoThread() throws Exception {
        RawBackend backend = echo();
        proxyTo(backend.url());
        open("/");
        long before = proxyThreads();

        List<RawClient> clients = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            clients.add(open("/"));
        }

        assertThat(inFlight()).isEqualTo(61);
        assertThat(proxyThreads()).isLessThan(before + 30);
        byte[] frame = ofClient().text("x").bytes();
        for (RawClient client : clients) {
            client.out().write(frame);
            assertThat(client.in().readNBytes(frame.length)).isEqualTo(frame);
        }
    }

    /** All but the test's own servers, which have one for each connection. */
    private static long proxyThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !thread.getName().startsWith("backend"))
                .count();
    }

    @Test
    void aTunnelInWhichNothingMovesEndsAfterItsTimeLimit() throws Exception {
        RawBackend backend = echo();
        proxy("""
                http:
                  services:
                    orders: {loadBalancer: {serversTransport: t, servers: [{url: "%s"}]}}
                  serversTransports: {t: {forwardingTimeouts: {tunnelIdleTimeout: 150ms}}}
                """.formatted(backend.url()));
        RawClient client = open("/");
        byte[] frame = ofClient().text("x").bytes();
        long began = System.nanoTime();
        while (System.nanoTime() - began < 300_000_000L) {
            client.out().write(frame);
            assertThat(client.in().readNBytes(frame.length)).isEqualTo(frame);
        }

        assertThat(client.in().read()).isEqualTo(-1);
        awaitNoConnection(backend);
        awaitNothingInFlight();
    }

    @Test
    void tunnelsEndWithTheProxy() throws Exception {
        RawBackend backend = echo();
        proxyTo(backend.url());
        RawClient client = open("/");

        stopProxy();

        awaitNoConnection(backend);
        awaitNothingInFlight();
        assertThatThrownBy(() -> {
                    if (client.in().read() < 0) {
                        throw new IOException("closed");
                    }
                })
                .isInstanceOf(IOException.class);
    }
}
