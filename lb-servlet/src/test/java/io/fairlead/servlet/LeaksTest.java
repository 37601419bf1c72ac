package io.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.LoadBalancer;
import io.fairlead.LoadBalancers;
import io.fairlead.Ticker;
import io.fairlead.compose.Mirror;
import io.fairlead.compose.MirrorOptions;
import io.fairlead.compose.MirroringLoadBalancer;
import io.fairlead.observe.EndpointSnapshot;
import io.fairlead.servlet.containers.Container;
import io.fairlead.servlet.middleware.Gzip;
import io.fairlead.servlet.middleware.Middleware;
import io.fairlead.servlet.middleware.OwnAnswer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.eclipse.jetty.io.ArrayByteBufferPool;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** After a storm of requests of all kinds nothing is left: no request in flight, no buffer, no thread. */
@Isolated("counts threads")
final class LeaksTest extends ContainerTest {
    private static final int CLIENTS = 8;
    private static final int REQUESTS = 100;

    @Test
    void nothingIsLeftBehind() throws Exception {
        leavesNothing(LoadBalancer.builder("orders").endpoint(server().url()).build());
    }

    @Test
    void nothingIsLeftBehindOfCopiesEither() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        RawBackend hanging = backend(peer -> never.await());
        LoadBalancer orders =
                closing(LoadBalancer.builder("orders").endpoint(server().url()).build());
        LoadBalancer shadow = closing(LoadBalancer.builder("shadow")
                .strategy("random")
                .endpoint(server().url())
                .endpoint(hanging.url())
                .build());
        MirrorOptions options = MirrorOptions.DEFAULT.withMaxInFlight(10).withTimeout(Duration.ofMillis(500));
        Mirror mirror = new Mirror(shadow, 100, options);

        leavesNothing(new MirroringLoadBalancer("mirroring", orders, List.of(mirror), Ticker.system()));

        assertThat(mirror.sent()).isPositive();
        assertThat(mirror.inFlight()).isZero();
        assertThat(shadow.snapshot().endpoints()).allMatch(endpoint -> endpoint.inFlight() == 0);
    }

    @Test
    @Tag("long")
    void nothingIsLeftBehindByHooksEitherAndEachEndIsToldOnce() throws Exception {
        AtomicInteger begun = new AtomicInteger();
        AtomicInteger ended = new AtomicInteger();
        AtomicInteger twice = new AtomicInteger();
        Map<AtomicBoolean, String> open = new ConcurrentHashMap<>();
        Middleware hooks = request -> {
            begun.incrementAndGet();
            AtomicBoolean once = new AtomicBoolean();
            request.onEnd(() -> {
                ended.incrementAndGet();
                open.remove(once);
                if (!once.compareAndSet(false, true)) {
                    twice.incrementAndGet();
                }
            });
            int kind = begun.get() % 7;
            open.put(once, kind + " " + request.facts().method() + " " + request.path());
            request.bufferBody(kind == 0 ? 50_000 : 0);
            request.limitBody(kind == 1 ? 50_000 : 100_000);
            request.onAnswer(head -> {
                switch (kind) {
                    case 0 -> head.transformBody((bytes, last, out) -> out.accept(bytes));
                    case 1 -> {
                        head.setField("Content-Encoding", "gzip");
                        head.transformBody(Gzip.encoder(1));
                    }
                    case 2 ->
                        head.transformBody((bytes, last, out) -> {
                            if (last) {
                                throw new IOException("on purpose");
                            }
                            out.accept(bytes);
                        });
                    case 3 -> head.replace(OwnAnswer.of(503, "On purpose"));
                    case 4 -> head.replaceBy("orders", "/a100", null);
                    case 5 ->
                        head.transformHeldBack((bytes, last, out) -> {
                            if (last) {
                                out.accept(ByteBuffer.wrap(new byte[100]));
                            }
                        });
                    default -> throw new IllegalStateException("on purpose");
                }
            });
        };
        try {
            leavesNothing(
                    LoadBalancer.builder("orders").endpoint(server().url()).build(), hooks);
        } catch (ConditionTimeoutException e) {
            throw new AssertionError("not ended: " + open.values(), e);
        }

        Awaitility.await()
                .untilAsserted(() -> assertThat(ended).as(open::toString).hasValue(begun.get()));
        assertThat(begun).hasPositiveValue();
        assertThat(twice).hasValue(0);
    }

    /** Answers with as many bytes as the path says, or breaks off in the middle of them. */
    private RawBackend server() throws IOException {
        return backend(peer -> {
            while (true) {
                RawMessage request = peer.readHead();
                if (request == null) {
                    return;
                }
                request.readBody(peer.in(), false);
                int size = Integer.parseInt(request.target().substring(2));
                if (request.target().charAt(1) == 'b') {
                    peer.write(head(200) + "Content-Length: " + size + "\r\n\r\n" + "x".repeat(size / 2));
                    return;
                }
                peer.write(answer(200, "x".repeat(size)));
            }
        });
    }

    private void leavesNothing(LoadBalancer orders, Middleware... hooks) throws Exception {
        ArrayByteBufferPool.Tracking buffers = new ArrayByteBufferPool.Tracking();
        LoadBalancers byHand = closing(LoadBalancers.of(orders));
        ProxyFilter filter = new ProxyFilter(byHand, buffers);
        List.of(hooks).forEach(filter::use);
        Container container = Container.start(filter, Map.of(), "");
        ExecutorService executor = Executors.newFixedThreadPool(CLIENTS);
        try {
            List<Future<Void>> storms = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                Random random = new Random(i);
                storms.add(executor.submit(() -> storm(container.port(), random)));
            }
            for (Future<Void> storm : storms) {
                storm.get(120, TimeUnit.SECONDS);
            }
            Awaitility.await()
                    .atMost(Duration.ofSeconds(10))
                    .until(() -> byHand.all().iterator().next().snapshot().endpoints().stream()
                                    .mapToInt(EndpointSnapshot::inFlight)
                                    .sum()
                            == 0);
        } finally {
            executor.shutdownNow();
            container.stop();
        }

        Awaitility.await()
                .atMost(Duration.ofSeconds(10))
                .untilAsserted(() ->
                        assertThat(buffers.getLeaks()).as(buffers::dumpLeaks).isEmpty());
        Awaitility.await()
                .atMost(Duration.ofSeconds(10))
                .until(() -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().startsWith("fairlead-upstream")));
    }

    private static Void storm(int port, Random random) throws IOException {
        for (int i = 0; i < REQUESTS; i++) {
            try (RawClient client = new RawClient(port)) {
                int size = random.nextInt(4) == 0 ? 500_000 : random.nextInt(20_000);
                String body = "y".repeat(random.nextInt(100_000));
                String kind = random.nextInt(10) == 0 ? "/b" : "/a";
                boolean post = random.nextBoolean();
                client.send(post ? "POST" : "GET", kind + size, post ? "Content-Length: " + body.length() : "X: y");
                if (post) {
                    client.write(random.nextInt(10) == 0 ? body.substring(body.length() / 2) : body);
                }
                if (random.nextInt(5) > 0) {
                    client.socket().setSoTimeout(200);
                    client.read("GET");
                }
            } catch (IOException e) {
                // Broken on purpose, by the server or by ourselves.
            }
        }
        return null;
    }
}
