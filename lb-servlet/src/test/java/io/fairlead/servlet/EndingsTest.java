package io.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.servlet.middleware.Middleware;
import io.fairlead.servlet.middleware.OwnAnswer;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

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
                Busy::new,
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

    /** A container that has no thread left for what is to be done beside its requests. */
    private record Busy(Filter behind) implements Filter {
        @Override
        public void init(FilterConfig config) throws ServletException {
            behind.init(config);
        }

        @Override
        public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            behind.doFilter(new BusyRequest((HttpServletRequest) request), response, chain);
        }

        @Override
        public void destroy() {
            behind.destroy();
        }
    }

    private static final class BusyRequest extends HttpServletRequestWrapper {
        BusyRequest(HttpServletRequest request) {
            super(request);
        }

        @Override
        public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
            AsyncContext started = super.startAsync(request, response);
            return (AsyncContext) java.lang.reflect.Proxy.newProxyInstance(
                    AsyncContext.class.getClassLoader(),
                    new Class<?>[] {AsyncContext.class},
                    (proxy, method, arguments) -> {
                        if (method.getName().equals("start")) {
                            throw new RejectedExecutionException("no thread");
                        }
                        try {
                            return method.invoke(started, arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        }
    }
}
