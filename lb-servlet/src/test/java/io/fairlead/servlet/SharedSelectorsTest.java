package io.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.ServiceSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.eclipse.jetty.client.Result;
import org.eclipse.jetty.io.ArrayByteBufferPool;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SelectorManager;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.Scheduler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server of Jetty's, with two selectors, that asks another server for every request. */
@SuppressWarnings("try") // Jetty's stop says no more of what it throws.
final class SharedSelectorsTest {
    private static final String ANSWER = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

    private static final int PAIRS = 50;

    private final SharedSelectors selectors = new SharedSelectors();
    private final Server server = new Server();
    private final ServerConnector connector = new ServerConnector(server, 1, 2, new HttpConnectionFactory()) {
        @Override
        protected SelectorManager newSelectorManager(Executor executor, Scheduler scheduler, int count) {
            return new ServerConnectorManager(executor, scheduler, count) {
                @Override
                protected ManagedSelector newSelector(int id) {
                    return selectors.newSelector(this, id);
                }
            };
        }
    };
    private final Upstreams upstreams = new Upstreams(8, Duration.ZERO, new ArrayByteBufferPool(), selectors);
    /** Whose threads have handled a request, and its answer. */
    private final List<List<ManagedSelector>> handled = new CopyOnWriteArrayList<>();

    private final CyclicBarrier together = new CyclicBarrier(2);
    private RawBackend backend;
    /** Whom requests are sent on to. */
    private volatile String target;

    @BeforeEach
    void start() throws Exception {
        backend = RawBackend.running(peer -> {
            while (peer.readRequest()) {
                if (peer.last().startLine().contains("together")) {
                    together.await(5, TimeUnit.SECONDS);
                }
                peer.write(ANSWER);
            }
        });
        target = backend.url();
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        server.setHandler(new Asking());
        server.start();
    }

    @AfterEach
    void stop() throws Exception {
        server.stop();
        upstreams.close();
        backend.close();
    }

    @Test
    void aRequestAndItsAnswerAreHandledByTheThreadOfOneSelector() throws Exception {
        try (RawClient one = new RawClient(connector.getLocalPort());
                RawClient two = new RawClient(connector.getLocalPort())) {
            connectBoth(one, two);
            for (int i = 0; i < PAIRS; i++) {
                get(one, "/");
                get(two, "/");
            }
        }

        // Not each: a thread of the pool, which serves no selector, may send a request on or tell of its end, and the
        // first two may have got each other's connection. By chance half of them would stay with one.
        long stayed = handled.stream()
                .filter(both -> both.get(0) != null && both.get(0) == both.get(1))
                .count();
        assertThat(handled).hasSize(2 + 2 * PAIRS);
        assertThat(stayed).isGreaterThan(2 * PAIRS * 3 / 4);
    }

    @Test
    void aConnectionThatTheClientClosesIsClosedAtOnce() throws Exception {
        try (RawClient one = new RawClient(connector.getLocalPort());
                RawClient two = new RawClient(connector.getLocalPort())) {
            connectBoth(one, two);
            assertThat(backend.openConnections()).isGreaterThanOrEqualTo(2);

            upstreams.of(ServiceSettings.DEFAULT).close();

            Awaitility.await()
                    .atMost(Duration.ofSeconds(2))
                    .pollDelay(Duration.ZERO)
                    .until(() -> backend.openConnections() == 0);
        }
    }

    /** Of a session of HTTP/2 the client says only that it is going away. */
    @Test
    void aConnectionOverHttp2IsClosedWithItsClientThoughTheServerKeepsIt() throws Exception {
        try (JettyBackend keeping = JettyBackend.h2c();
                RawClient client = new RawClient(connector.getLocalPort())) {
            target = keeping.url();
            get(client, "/");
            assertThat(keeping.connections()).isOne();

            upstreams.close();

            Awaitility.await().atMost(Duration.ofSeconds(2)).until(() -> keeping.connections() == 0);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2c", "https"})
    void aConnectionThatWaitsForTheServersFirstWordIsClosedWithItsClient(String scheme) throws Exception {
        CountDownLatch connected = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        try (RawBackend silent = RawBackend.running(peer -> {
                    peer.in().read();
                    connected.countDown();
                    try {
                        peer.in().readAllBytes();
                    } finally {
                        ended.countDown();
                    }
                });
                RawClient client = new RawClient(connector.getLocalPort())) {
            target = scheme + "://127.0.0.1:" + silent.port();
            client.send("GET", "/");
            assertThat(connected.await(5, TimeUnit.SECONDS)).isTrue();

            upstreams.close();

            assertThat(ended.await(5, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void aSelectorThatHasBeenStoppedIsNoLongerThatOfItsThreads() throws Exception {
        try (RawClient client = new RawClient(connector.getLocalPort())) {
            get(client, "/");
        }

        connector.stop();

        // Each of them takes one, and none takes two.
        QueuedThreadPool pool = (QueuedThreadPool) server.getThreadPool();
        List<CompletableFuture<Boolean>> all = new ArrayList<>();
        CountDownLatch busy = new CountDownLatch(pool.getThreads());
        for (int i = pool.getThreads(); i > 0; i--) {
            CompletableFuture<Boolean> none = new CompletableFuture<>();
            all.add(none);
            pool.execute(() -> {
                busy.countDown();
                try {
                    busy.await(2, TimeUnit.SECONDS);
                } catch (InterruptedException e) {
                    none.completeExceptionally(e);
                }
                none.complete(selectors.ofThread() == null);
            });
        }
        for (CompletableFuture<Boolean> none : all) {
            assertThat(none.get(5, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void whenTheConnectorHasStoppedTheClientGoesOnWithSelectorsOfItsOwn() throws Exception {
        try (RawClient client = new RawClient(connector.getLocalPort())) {
            get(client, "/");
        }
        connector.stop();
        Awaitility.await().until(() -> backend.openConnections() == 0);

        for (int i = 0; i < 2; i++) {
            UpstreamCall call = new UpstreamCall(upstreams.of(ServiceSettings.DEFAULT), backend.url(), "");
            assertThat(call.start().length().get(5, TimeUnit.SECONDS)).isZero();
        }

        assertThat(backend.connections()).isEqualTo(2);
    }

    /** Two requests at a time, by clients of two selectors, so that each has a connection. */
    private static void connectBoth(RawClient one, RawClient two) throws Exception {
        one.send("GET", "/?together");
        two.send("GET", "/?together");
        assertThat(one.read("GET").status()).isEqualTo(200);
        assertThat(two.read("GET").status()).isEqualTo(200);
    }

    private static void get(RawClient client, String target) throws Exception {
        assertThat(client.get(target).status()).isEqualTo(200);
    }

    /** Sends on each request. */
    private final class Asking extends Handler.Abstract.NonBlocking {
        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            String query = String.valueOf(request.getHttpURI().getQuery());
            ManagedSelector asked = selectors.ofThread();
            new UpstreamCall(upstreams.of(ServiceSettings.DEFAULT), target, query) {
                @Override
                public void onComplete(Result result) {
                    handled.add(Arrays.asList(asked, selectors.ofThread()));
                    super.onComplete(result);
                    if (result.isFailed()) {
                        callback.failed(result.getFailure());
                    } else {
                        callback.succeeded();
                    }
                }
            }.start();
            return true;
        }
    }
}
