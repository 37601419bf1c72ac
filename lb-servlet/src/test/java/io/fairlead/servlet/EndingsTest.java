package io.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.servlet.containers.Container;
import io.fairlead.servlet.middleware.Middleware;
import io.fairlead.servlet.middleware.OwnAnswer;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How requests end that end otherwise than by a server's answer. */
final class EndingsTest extends ContainerTest {
    private final AtomicInteger answers = new AtomicInteger();
    private final AtomicInteger ends = new AtomicInteger();

    private Middleware counting() {
        return request -> {
            request.onEnd(ends::incrementAndGet);
            request.onAnswer(head -> answers.incrementAndGet());
        };
    }

    private static void awaitCount(AtomicInteger counter, int count) {
        Awaitility.await()
                .pollInterval(Duration.ofMillis(5))
                .atMost(Duration.ofSeconds(10))
                .until(() -> counter.get() == count);
    }

    private static String nobody() throws IOException {
        return "http://127.0.0.1:" + RawBackend.refusedPort();
    }

    @Test
    void aContainerWithoutAThreadForAnAnswerStillGivesIt() throws Exception {
        proxy(
                filter -> new Around(filter, EndingsTest::busy, response -> response),
                service("orders", "", nobody()),
                counting(),
                request -> request.onAnswer(head -> {
                    if (request.path().equals("/large")) {
                        head.replace(OwnAnswer.of(503, "").withBody("text/plain", new byte[100_000]));
                    }
                }));

        assertThat(client().get("/large").bytes()).hasSize(100_000);
        assertThat(client().exchange("POST", "/", "abc", "Content-Length: 3").status())
                .isEqualTo(502);
        awaitCount(ends, 2);
        awaitNothingInFlight();
    }

    @Test
    void anAnswerThatNoPageCanReplaceIsOneWhateverTheServerSaid() throws Exception {
        RawBackend orders = backend(answer(999, "the inside"));
        proxy(
                service("orders", "", orders.url())
                        + "    pages: {loadBalancer: {servers: [{url: \"" + nobody() + "\"}]}}\n"
                        + "  routers:\n    all: {rule: \"PathPrefix(`/`)\", service: orders}\n",
                counting(),
                request -> request.onAnswer(head -> {
                    if (!head.isOwn()) {
                        head.replaceBy("pages", "/", null);
                    }
                }));

        RawMessage answer = client().get("/");

        assertThat(answer.status()).isEqualTo(502);
        assertThat(answer.value("Content-Type")).isEqualTo("application/problem+json");
        awaitCount(ends, 1);
        awaitNothingInFlight();
    }

    @Test
    void clientsThatTakeNoAnswerKeepNobodyWaiting() throws Exception {
        proxy(service("orders", "", nobody()), counting());

        for (int i = 1; i <= 4; i++) {
            closing(RawHttp2Request.deaf(port(), "POST", "hello"));
            awaitCount(answers, i);
        }

        assertThat(client().get("/").status()).isEqualTo(502);
    }

    @Test
    void aBodyThatTakesLongToBeChangedKeepsNobodyWaiting() throws Exception {
        RawBackend backend = backend(answer(200, "x"));
        CountDownLatch over = new CountDownLatch(1);
        closing(over::countDown);
        AtomicInteger begun = new AtomicInteger();
        proxy(service("orders", "", backend.url()), request -> {
            if (request.path().equals("/slow")) {
                request.onAnswer(head -> head.transformBody((bytes, last, out) -> {
                    begun.incrementAndGet();
                    try {
                        over.await();
                    } catch (InterruptedException e) {
                        throw new IOException(e);
                    }
                    out.accept(bytes);
                }));
            }
        });

        for (int i = 1; i <= 4; i++) {
            client().send("GET", "/slow");
            awaitCount(begun, i);
        }

        assertThat(client().get("/").body()).isEqualTo("x");
        over.countDown();
        awaitNothingInFlight();
    }

    @Test
    void theFirstOfABodyGoesOutWithTheHeadThatWasHeldBackForIt() throws Exception {
        CountDownLatch read = new CountDownLatch(1);
        closing(read::countDown);
        RawBackend backend = backend(peer -> {
            peer.readRequest();
            peer.write(head(200) + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n");
            read.await();
            peer.write("0\r\n\r\n");
        });
        proxy(
                service("orders", "", backend.url()),
                request -> request.onAnswer(head -> head.transformHeldBack((bytes, last, out) -> out.accept(bytes))));

        RawClient client = client();
        client.send("GET", "/");

        assertThat(client.readHead().status()).isEqualTo(200);
        assertThat(RawMessage.line(client.in())).isEqualTo("3");
        read.countDown();
        awaitNothingInFlight();
    }

    /** Jetty tells of connections that it closes before it closes them, and what is completed by then still goes out. */
    @Tag("thorough") // Tomcat takes its time to stop.
    @ParameterizedTest
    @ValueSource(strings = {"/silent", "/begun"})
    void aClientWhoseConnectionTheContainerClosesIsNotToldThatAllIsWell(String target) throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        closing(over::countDown);
        CountDownLatch arrived = new CountDownLatch(1);
        RawBackend backend = backend(peer -> {
            String asked = peer.readHead().target();
            if (asked.equals("/begun")) {
                peer.write(head(200) + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n");
            }
            arrived.countDown();
            over.await();
        });
        proxyTo(backend.url());
        RawClient client = client();
        client.send("GET", target);
        assertThat(arrived.await(10, TimeUnit.SECONDS)).isTrue();
        if (target.equals("/begun")) {
            assertThat(client.readHead().status()).isEqualTo(200);
            assertThat(RawMessage.line(client.in())).isEqualTo("3");
        }

        stopProxy();

        String told = new String(restOf(client), StandardCharsets.ISO_8859_1);
        assertThat(told).doesNotContain("HTTP/1.1 200", "\r\n0\r\n");
        if (!told.isEmpty() && target.equals("/silent")) {
            assertThat(told).matches("(?s)HTTP/1\\.1 (499|503) .*");
            assertThat(told).containsIgnoringCase("\r\nConnection: close\r\n");
        }
        awaitNothingInFlight();
    }

    private static byte[] restOf(RawClient client) {
        ByteArrayOutputStream rest = new ByteArrayOutputStream();
        try {
            client.in().transferTo(rest);
        } catch (IOException e) {
            // Reset: there is no more.
        }
        return rest.toByteArray();
    }

    /** Tomcat gives the response to the next request when it has told of the end, perhaps to another client's. */
    @Test
    void theContainerDoesNotGetTheResponseBackWhileAThreadIsAtIt() throws Exception {
        RawBackend backend = backend(answer(200, "x"));
        Slow slow = new Slow();
        proxy(filter -> new Around(filter, slow::request, slow::response), service("orders", "", backend.url()));
        closing(slow.mayLeave::countDown);
        client().send("GET", "/");
        assertThat(slow.within.await(10, TimeUnit.SECONDS)).isTrue();

        CompletableFuture<Void> told = CompletableFuture.runAsync(slow::tellOfTheEnd);

        assertThatThrownBy(() -> told.get(50, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
        slow.mayLeave.countDown();
        told.get(10, TimeUnit.SECONDS);
        assertThat(slow.left).hasValue(1);
        awaitNothingInFlight();
    }

    @Test
    void aRequestThatWaitsToBeSentAgainIsAnsweredWhenTheProxyEnds() throws Exception {
        Filter[] own = new Filter[1];
        proxy(
                filter -> {
                    own[0] = filter;
                    return filter;
                },
                through(nobody(), "again: {retry: {attempts: 3, initialInterval: 60s}}"),
                counting());
        RawClient client = client();
        client.send("GET", "/");
        Awaitility.await()
                .pollInterval(Duration.ofMillis(5))
                .until(() -> balancers().all().stream()
                        .flatMap(balancer -> balancer.snapshot().endpoints().stream())
                        .anyMatch(endpoint -> endpoint.failures() == 1));

        own[0].destroy();

        assertThat(client.read("GET").status()).isEqualTo(503);
        assertThat(client().get("/").status()).isEqualTo(503);
        awaitCount(ends, 1);
        awaitNothingInFlight();
    }

    /**
     * Tomcat ends a request itself once it has told of an error. Whoever ends it as well, and has to wait for a monitor of
     * Tomcat's, might have it when the request has been given to another client, and end that one's.
     */
    @Test
    void theContainerDoesNotEndARequestWhileAThreadIsAboutTo() throws Exception {
        RawBackend backend = backend(answer(200, "x"));
        Ending ending = new Ending();
        proxy(
                filter -> new Around(filter, ending::request, response -> response),
                service("orders", "", backend.url()));
        RawClient client = client();
        CompletableFuture<Void> told;
        synchronized (ending.monitor) {
            client.send("GET", "/");
            Awaitility.await().pollInterval(Duration.ofMillis(1)).until(ending::waitsForMonitor);

            // Made now: there is nothing to ask a request for that has ended.
            AsyncEvent error = new AsyncEvent(ending.context, new IOException("told by the test"));
            told = CompletableFuture.runAsync(() -> ending.tell(error), task -> new Thread(task).start());
            if (Container.isTomcat()) {
                assertThatThrownBy(() -> told.get(50, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            }
        }

        told.get(10, TimeUnit.SECONDS);
        assertThat(client.read("GET").status()).isEqualTo(200);
        awaitNothingInFlight();
    }

    /** A request whose end waits for a monitor, and of which an error can be told by hand. */
    private static final class Ending {
        private final Object monitor = new Object();
        private volatile AsyncListener listener;
        private volatile AsyncContext context;
        private volatile Thread completing;

        HttpServletRequest request(HttpServletRequest request) {
            return new AsyncRequest(request, (started, method, arguments) -> {
                context = (AsyncContext) started;
                if (method.getName().equals("addListener")) {
                    listener = (AsyncListener) arguments[0];
                }
                if (!method.getName().equals("complete")) {
                    return method.invoke(started, arguments);
                }
                completing = Thread.currentThread();
                synchronized (monitor) {
                    return method.invoke(started, arguments);
                }
            });
        }

        boolean waitsForMonitor() {
            Thread now = completing;
            return now != null && now.getState() == Thread.State.BLOCKED;
        }

        void tell(AsyncEvent error) {
            try {
                listener.onError(error);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** A response that holds a thread up within it, of a request whose end can be told by hand. */
    private static final class Slow {
        private final CountDownLatch within = new CountDownLatch(1);
        private final CountDownLatch mayLeave = new CountDownLatch(1);
        private final AtomicInteger left = new AtomicInteger();
        private volatile AsyncListener listener;

        HttpServletRequest request(HttpServletRequest request) {
            return new AsyncRequest(request, (context, method, arguments) -> {
                if (method.getName().equals("addListener")) {
                    listener = (AsyncListener) arguments[0];
                }
                return method.invoke(context, arguments);
            });
        }

        HttpServletResponse response(HttpServletResponse response) {
            return new HttpServletResponseWrapper(response) {
                @Override
                public ServletOutputStream getOutputStream() throws IOException {
                    within.countDown();
                    try {
                        mayLeave.await();
                    } catch (InterruptedException e) {
                        throw new IOException(e);
                    }
                    left.incrementAndGet();
                    return super.getOutputStream();
                }
            };
        }

        void tellOfTheEnd() {
            try {
                listener.onComplete(null);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** A container that has no thread left for what is to be done beside its requests. */
    private static HttpServletRequest busy(HttpServletRequest request) {
        return new AsyncRequest(request, (context, method, arguments) -> {
            if (method.getName().equals("start")) {
                throw new RejectedExecutionException("no thread");
            }
            return method.invoke(context, arguments);
        });
    }

    private record Around(
            Filter behind, UnaryOperator<HttpServletRequest> request, UnaryOperator<HttpServletResponse> response)
            implements Filter {
        @Override
        public void init(FilterConfig config) throws ServletException {
            behind.init(config);
        }

        @Override
        public void doFilter(ServletRequest own, ServletResponse ownResponse, FilterChain chain)
                throws IOException, ServletException {
            behind.doFilter(
                    request.apply((HttpServletRequest) own), response.apply((HttpServletResponse) ownResponse), chain);
        }

        @Override
        public void destroy() {
            behind.destroy();
        }
    }

    /** A request whose asynchronous context is called by way of another. */
    private static final class AsyncRequest extends HttpServletRequestWrapper {
        private final InvocationHandler handler;

        AsyncRequest(HttpServletRequest request, InvocationHandler handler) {
            super(request);
            this.handler = handler;
        }

        @Override
        public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
            AsyncContext started = super.startAsync(request, response);
            return (AsyncContext) java.lang.reflect.Proxy.newProxyInstance(
                    AsyncContext.class.getClassLoader(),
                    new Class<?>[] {AsyncContext.class},
                    (proxy, method, arguments) -> {
                        try {
                            return handler.invoke(started, method, arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        }
    }
}
