package io.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.LoadBalancer;
import io.fairlead.LoadBalancers;
import io.fairlead.observe.EndpointSnapshot;
import io.fairlead.servlet.containers.Container;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.eclipse.jetty.io.ArrayByteBufferPool;
import org.eclipse.jetty.io.ArrayByteBufferPool.Tracking.TrackedBuffer;
import org.eclipse.jetty.io.RetainableByteBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Ten thousand requests over kept-alive connections, one in a hundred of which its client breaks off: in its head, in its
 * body, while it is answered, and in the answer. All others are answered whole, the broken ones count against nobody,
 * and in the end nothing is left.
 */
@Isolated("counts threads")
final class SoakTest extends ContainerTest {
    private static final int CLIENTS = 10;
    private static final int REQUESTS_OF_EACH = 1_000;
    private static final int ONE_IN = 100;
    private static final int[] SIZES = {0, 10, 1_000, 6_000, 40_000};

    private final AtomicInteger served = new AtomicInteger();
    private final AtomicInteger answered = new AtomicInteger();
    private final AtomicInteger aborted = new AtomicInteger();

    @Test
    @Tag("long")
    void tenThousandRequestsLeaveNothing() throws Exception {
        ArrayByteBufferPool.Tracking buffers = new ArrayByteBufferPool.Tracking();
        RawBackend server = backend(this::serve);
        LoadBalancer orders =
                LoadBalancer.builder("orders").endpoint(server.url()).build();
        LoadBalancers balancers = closing(LoadBalancers.of(orders));
        // Fewer connections than clients, so that requests wait for one, and clients leave meanwhile.
        Map<String, String> parameters = Map.of(Container.TRACKS_BUFFERS, "true", "maxConnections", "4");
        Container container = Container.start(new ProxyFilter(balancers, buffers), parameters, "");
        ExecutorService executor = Executors.newFixedThreadPool(CLIENTS);
        try {
            List<Future<Void>> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                int number = i;
                clients.add(executor.submit(() -> run(container.port(), number)));
            }
            for (Future<Void> client : clients) {
                client.get(120, TimeUnit.SECONDS);
            }
            Awaitility.await()
                    .pollInterval(Duration.ofMillis(5))
                    .untilAsserted(() -> assertThat(endpoint(orders).inFlight()).isZero());
        } finally {
            executor.shutdownNow();
            container.stop();
        }

        assertThat(aborted).hasValue(CLIENTS * REQUESTS_OF_EACH / ONE_IN);
        assertThat(answered).hasValue(CLIENTS * REQUESTS_OF_EACH - aborted.get());
        assertThat(served).hasValueGreaterThanOrEqualTo(answered.get());
        assertThat(endpoint(orders).failures()).isZero();
        assertThat(endpoint(orders).picks()).isGreaterThanOrEqualTo(answered.get());
        Awaitility.await().untilAsserted(() -> {
            Set<TrackedBuffer> lost = buffers.getLeaks();
            assertThat(lost).as(buffers::dumpLeaks).allMatch(SoakTest::isLostByJettysClient);
            assertThat(lost).hasSizeLessThanOrEqualTo(aborted.get());
            assertThat(container.lostBuffers()).isEmpty();
        });
        Awaitility.await()
                .untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                        .extracting(Thread::getName)
                        .noneMatch(name -> name.startsWith("fairlead")));
    }

    @Test
    void aBufferThatIsLostIsSeen() {
        ArrayByteBufferPool.Tracking buffers = new ArrayByteBufferPool.Tracking();
        RetainableByteBuffer lost = buffers.acquire(100, false);

        assertThat(buffers.getLeaks()).hasSize(1);

        lost.release();
        assertThat(buffers.getLeaks()).isEmpty();
    }

    /**
     * What Jetty's client reads into is not let go of where a request is given up just while the end of its answer is read
     * (jetty/jetty.project#12934). Its pool forgets such a buffer: the garbage collector takes it.
     */
    private static boolean isLostByJettysClient(TrackedBuffer buffer) {
        boolean readInto = Arrays.stream(buffer.getAcquireStack().getStackTrace())
                .anyMatch(frame -> frame.getMethodName().equals("newNetworkBuffer"));
        Matcher counts = Pattern.compile("(?s)(\\d+) retain\\(s\\).*?(\\d+) release\\(s\\)")
                .matcher(buffer.dump());
        return readInto && counts.find() && counts.group(1).equals(counts.group(2));
    }

    private static EndpointSnapshot endpoint(LoadBalancer balancer) {
        return balancer.snapshot().endpoints().get(0);
    }

    /** Answers with as many bytes as the target says, and says how many it has got. */
    private void serve(RawBackend.Peer peer) throws IOException {
        byte[] bytes = "x".repeat(8_192).getBytes(StandardCharsets.US_ASCII);
        while (true) {
            RawMessage request = RawMessage.readHead(peer.in());
            if (request == null) {
                return;
            }
            long got = skipBody(request, peer.in());
            served.incrementAndGet();
            int size = Integer.parseInt(request.target().substring(1));
            peer.write(head(200, "X-Got: " + got) + "Content-Length: " + size + "\r\n\r\n");
            for (int left = size; left > 0; left -= bytes.length) {
                peer.out().write(bytes, 0, Math.min(left, bytes.length));
            }
            peer.out().flush();
        }
    }

    private static long skipBody(RawMessage request, BufferedInputStream in) throws IOException {
        if (request.value("Content-Length") != null) {
            long length = Long.parseLong(request.value("Content-Length"));
            in.skipNBytes(length);
            return length;
        }
        if (request.value("Transfer-Encoding") == null) {
            return 0;
        }
        long length = 0;
        while (true) {
            int chunk = Integer.parseInt(RawMessage.line(in), 16);
            in.skipNBytes(chunk);
            RawMessage.line(in);
            if (chunk == 0) {
                return length;
            }
            length += chunk;
        }
    }

    private Void run(int port, int number) throws IOException {
        Random random = new Random(number);
        RawClient client = new RawClient(port);
        try {
            for (int i = 0; i < REQUESTS_OF_EACH; i++) {
                if (i % ONE_IN == number) {
                    abort(client, Phase.values()[i / ONE_IN % Phase.values().length]);
                    client.close();
                    aborted.incrementAndGet();
                    client = new RawClient(port);
                } else {
                    exchange(client, random);
                    answered.incrementAndGet();
                }
            }
        } finally {
            client.close();
        }
        return null;
    }

    private static void exchange(RawClient client, Random random) throws IOException {
        int size = SIZES[random.nextInt(SIZES.length)];
        int got = SIZES[random.nextInt(SIZES.length)];
        String target = "/" + size;
        switch (random.nextInt(3)) {
            case 0 -> {
                got = 0;
                client.send("GET", target);
            }
            case 1 -> {
                client.send("POST", target, "Content-Length: " + got);
                client.write("y".repeat(got));
            }
            default -> {
                client.send("POST", target, "Transfer-Encoding: chunked");
                String chunk = got == 0 ? "" : Integer.toHexString(got) + "\r\n" + "y".repeat(got) + "\r\n";
                client.write(chunk + "0\r\n\r\n");
            }
        }
        RawMessage answer = client.readHead();
        if (answer.status() != 200) {
            answer.readBody(client.in(), true);
        }
        assertThat(answer.status()).as(() -> answer.toString()).isEqualTo(200);
        assertThat(answer.value("X-Got")).isEqualTo(Integer.toString(got));
        answer.readBody(client.in(), false);
        assertThat(answer.bytes()).hasSize(size);
    }

    private enum Phase {
        HEAD,
        BODY,
        WAITING,
        ANSWER
    }

    private static void abort(RawClient client, Phase phase) throws IOException {
        switch (phase) {
            case HEAD -> client.write("POST /1000 HTTP/1.1\r\nHost: shop.exa");
            case BODY -> {
                client.send("POST", "/1000", "Content-Length: 200000");
                client.write("y".repeat(100_000));
            }
            case WAITING -> client.send("GET", "/6000");
            case ANSWER -> {
                client.send("GET", "/4000000");
                InputStream in = client.in();
                in.readNBytes(10_000);
                client.socket().setSoLinger(true, 0);
            }
        }
    }
}
