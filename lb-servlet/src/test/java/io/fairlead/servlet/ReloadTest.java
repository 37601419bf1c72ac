package io.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.LoadBalancers;
import io.fairlead.config.ConfigProblem;
import io.fairlead.servlet.containers.Container;
import io.fairlead.servlet.log.AccessLog;
import io.fairlead.servlet.routing.RouteFacts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.eclipse.jetty.io.ArrayByteBufferPool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Changes of the file while the filter runs. */
final class ReloadTest extends ContainerTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final RouteFacts ANY = new RouteFacts() {
        @Override
        public String method() {
            return "GET";
        }

        @Override
        public Enumeration<String> headers(String name) {
            return Collections.emptyEnumeration();
        }
    };

    private static String routed(String service, String rule, String url) {
        return """
                http:
                  routers:
                    all: {rule: "%s", service: %s}
                  services:
                    %s: {loadBalancer: {servers: [{url: "%s"}]}}
                """.formatted(rule, service, service, url);
    }

    /** Puts the whole new content in the place of the old one in one step. */
    private static void replace(Path file, String content) throws Exception {
        Path next = Files.writeString(file.resolveSibling("next.yaml"), content);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    @Test
    void nothingOfAFileWithWrongRoutesTakesEffect(@TempDir Path directory) throws Exception {
        RawBackend backend = backend(answer(200, "x"));
        Path file = Files.writeString(directory.resolve("lb.yaml"), routed("orders", "PathPrefix(`/`)", backend.url()));
        LoadBalancers balancers = closing(LoadBalancers.load(file));
        List<ConfigProblem> told = new CopyOnWriteArrayList<>();
        balancers.reportProblemsTo(told::addAll);
        Container container = Container.start(new ProxyFilter(balancers), Map.of(), "");
        closing(container::stop);

        replace(file, routed("bills", "PathPrefix(`/`", backend.url()));
        Awaitility.await().atMost(PATIENCE).until(() -> !told.isEmpty() || balancers.get("bills") != null);

        assertThat(told)
                .singleElement()
                .satisfies(problem -> assertThat(problem.path()).isEqualTo("http.routers.all.rule"));
        assertThat(balancers.get("orders")).isNotNull();
        try (RawClient client = new RawClient(container.port())) {
            assertThat(client.get("/").status()).isEqualTo(200);
        }
    }

    @Test
    void nothingOfAFileThatTheFilterReadsItselfTakesEffectIfItsRoutesAreWrong(@TempDir Path directory)
            throws Exception {
        RawBackend old = backend(answer(200, "old"));
        RawBackend wrong = backend(answer(200, "wrong"));
        RawBackend right = backend(answer(200, "right"));
        Path file = Files.writeString(directory.resolve("lb.yaml"), routed("orders", "PathPrefix(`/`)", old.url()));
        Container container = Container.start(new ProxyFilter(), Map.of("config", file.toString()), "");
        closing(container::stop);

        replace(file, routed("orders", "PathPrefix(`/`", wrong.url()));
        RawClient client = closing(new RawClient(container.port()));
        // The file is looked at more than once in this time, and each answer must be the old one's until it is mended.
        Awaitility.await()
                .during(Duration.ofMillis(1500))
                .atMost(PATIENCE)
                .until(() -> client.get("/").body().equals("old"));
        replace(file, routed("bills", "PathPrefix(`/`)", right.url()));
        Awaitility.await().atMost(PATIENCE).until(() -> client.get("/").body().equals("right"));
        assertThat(wrong.connections()).isZero();
    }

    @Test
    void aFilterThatHasEndedChecksNothing(@TempDir Path directory) throws Exception {
        RawBackend backend = backend(answer(200, "x"));
        Path file = Files.writeString(directory.resolve("lb.yaml"), routed("orders", "PathPrefix(`/`)", backend.url()));
        LoadBalancers balancers = closing(LoadBalancers.load(file));
        Container.start(new ProxyFilter(balancers), Map.of(), "").stop();

        replace(file, routed("bills", "PathPrefix(`/`", backend.url()));

        Awaitility.await().atMost(PATIENCE).until(() -> balancers.get("bills") != null);
    }

    @Test
    void aServiceThatIsRenamedUnderLoadLosesNoRequest(@TempDir Path directory) throws Exception {
        RawBackend backend = backend(answer(200, "x"));
        String[] names = {"orders", "bills"};
        Path file = Files.writeString(directory.resolve("lb.yaml"), routed(names[0], "PathPrefix(`/`)", backend.url()));
        LoadBalancers balancers = closing(LoadBalancers.load(file));
        Container container = Container.start(new ProxyFilter(balancers), Map.of(), "");
        closing(container::stop);
        AtomicBoolean enough = new AtomicBoolean();
        AtomicInteger sent = new AtomicInteger();
        List<String> failed = new CopyOnWriteArrayList<>();
        ExecutorService senders = Executors.newFixedThreadPool(8);
        closing(senders::shutdownNow);

        List<Future<?>> running = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            running.add(senders.submit(() -> {
                while (!enough.get()) {
                    sendUntil(enough, container.port(), sent, failed);
                }
                return null;
            }));
        }
        for (int round = 1; round <= 6; round++) {
            String name = names[round % 2];
            int before = sent.get();
            replace(file, routed(name, "PathPrefix(`/`)", backend.url()));
            Awaitility.await().atMost(PATIENCE).until(() -> balancers.get(name) != null && sent.get() > before + 16);
        }
        enough.set(true);
        for (Future<?> sender : running) {
            sender.get(20, TimeUnit.SECONDS);
        }

        assertThat(failed).isEmpty();
    }

    /** Over one connection, which Tomcat closes after a hundred requests. */
    private static void sendUntil(AtomicBoolean enough, int port, AtomicInteger sent, List<String> failed)
            throws Exception {
        try (RawClient client = new RawClient(port)) {
            boolean closed = false;
            while (!closed && !enough.get()) {
                RawMessage answer = client.get("/a");
                sent.incrementAndGet();
                closed = "close".equalsIgnoreCase(answer.value("Connection"));
                if (answer.status() != 200) {
                    failed.add(answer.toString());
                }
            }
        }
    }

    @Test
    void aRequestKeepsToTheStateThatItBeganWith(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(
                directory.resolve("lb.yaml"), routed("orders", "Method(`GET`)", "http://127.0.0.1:1"));
        LoadBalancers balancers = closing(LoadBalancers.load(file));
        Upstreams upstreams = closing(new Upstreams(1, Duration.ofMinutes(1), new ArrayByteBufferPool()));
        Proxy proxy = new Proxy(balancers, upstreams, null, null, new AccessLog());
        Proxy.Loaded before = proxy.loaded();

        replace(file, routed("bills", "Method(`GET`)", "http://127.0.0.1:1"));
        Awaitility.await().atMost(PATIENCE).until(() -> balancers.get("bills") != null);

        Proxy.Loaded after = proxy.loaded();
        assertThat(before.balancer(before.match(ANY)).name()).isEqualTo("orders");
        assertThat(after.balancer(after.match(ANY))).isSameAs(balancers.get("bills"));
    }
}
