package io.fairlead.okhttp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fairlead.LoadBalancer;
import io.fairlead.observe.EndpointSnapshot;
import io.fairlead.retry.RetryPolicy;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import okhttp3.Call;
import okhttp3.MediaType;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okio.BufferedSink;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What happens to a call whose server fails, and what the failure teaches. */
class RetryTest {
    private static final RequestBody BODY = RequestBody.create("body", MediaType.get("text/plain"));

    /** Reads a request and hangs up, on each of its connections. */
    private static RawServer hangingUp() throws IOException {
        return RawServer.running(RawServer.Connection::readRequest);
    }

    @Test
    void aGetGoesOnWhereConnectingFails() throws IOException {
        try (RawServer alive = RawServer.answering("alive");
                Orders orders = Orders.over(Orders.deadUrl(), alive.url())) {
            assertThat(orders.text("http://orders/")).isEqualTo("alive");
            assertThat(orders.failures()).isEqualTo(1);
        }
    }

    @Test
    void aPostGoesOnWhereConnectingFails() throws IOException {
        try (RawServer alive = RawServer.answering("alive");
                Orders orders = Orders.over(Orders.deadUrl(), alive.url());
                Response response = orders.post("http://orders/", BODY)) {
            assertThat(response.body().string()).isEqualTo("alive");
            assertThat(alive.requests.get(0).body).isEqualTo("body");
        }
    }

    @Test
    void aBodyThatCanBeSentOnceGoesOnWhereConnectingFails() throws IOException {
        OneShotBody body = new OneShotBody("once");
        try (RawServer alive = RawServer.answering("alive");
                Orders orders = Orders.over(Orders.deadUrl(), alive.url());
                Response response = orders.post("http://orders/", body)) {
            assertThat(response.body().string()).isEqualTo("alive");
            assertThat(alive.requests.get(0).body).isEqualTo("once");
            assertThat(body.written.get()).isEqualTo(1);
        }
    }

    @Test
    void aBodyThatCanBeSentOnceIsNotSentTwice() throws IOException {
        OneShotBody body = new OneShotBody("once");
        try (RawServer broken = hangingUp();
                RawServer alive = RawServer.answering("alive");
                Orders orders = Orders.over(broken.url(), alive.url())) {
            Request request =
                    new Request.Builder().url("http://orders/").put(body).build();
            assertThatThrownBy(() -> orders.client.newCall(request).execute()).isInstanceOf(IOException.class);
            assertThat(body.written.get()).isEqualTo(1);
            assertThat(alive.requests).isEmpty();
        }
    }

    @Test
    void aGetGoesOnWhereTheConnectionBreaksBeforeTheHead() throws IOException {
        try (RawServer broken = hangingUp();
                RawServer alive = RawServer.answering("alive");
                Orders orders = Orders.over(broken.url(), alive.url())) {
            assertThat(orders.text("http://orders/")).isEqualTo("alive");
            assertThat(broken.requests).hasSize(1);
            assertThat(orders.failures()).isEqualTo(1);
        }
    }

    @Test
    void aGetGoesOnWhereTheConnectionBreaksInTheHead() throws IOException {
        try (RawServer broken = RawServer.running(connection -> {
                    connection.readRequest();
                    connection.send("HTTP/1.1 200 OK\r\nContent-Le");
                });
                RawServer alive = RawServer.answering("alive");
                Orders orders = Orders.over(broken.url(), alive.url())) {
            assertThat(orders.text("http://orders/")).isEqualTo("alive");
        }
    }

    @Test
    void aPutGoesOnWithItsBody() throws IOException {
        try (RawServer broken = hangingUp();
                RawServer alive = RawServer.answering("alive");
                Orders orders = Orders.over(broken.url(), alive.url())) {
            Request request =
                    new Request.Builder().url("http://orders/").put(BODY).build();
            try (Response response = orders.client.newCall(request).execute()) {
                assertThat(response.body().string()).isEqualTo("alive");
                assertThat(alive.requests.get(0).body).isEqualTo("body");
            }
        }
    }

    @Test
    void aPostThatMayHaveArrivedIsNotSentAgain() throws IOException {
        try (RawServer broken = hangingUp();
                RawServer alive = RawServer.answering("alive");
                Orders orders = Orders.over(broken.url(), alive.url())) {
            assertThatThrownBy(() -> orders.post("http://orders/", BODY)).isInstanceOf(IOException.class);
            assertThat(broken.requests).hasSize(1);
            assertThat(alive.requests).isEmpty();
            assertThat(orders.failures()).isEqualTo(1);
        }
    }

    @Test
    void aPostIsNotSentAgainByOkHttpEither() throws IOException {
        // A kept-alive connection that breaks is where OkHttp resends of its own accord.
        try (RawServer broken = RawServer.running(connection -> {
                    connection.readRequest();
                    connection.answer(200, "first");
                    connection.readRequest();
                });
                Orders orders = new Orders(
                        builder -> builder.retryOnConnectionFailure(true), Orders.service("orders", broken.url()))) {
            assertThat(orders.text("http://orders/")).isEqualTo("first");
            assertThatThrownBy(() -> orders.post("http://orders/", BODY)).isInstanceOf(IOException.class);
            assertThat(broken.requests).hasSize(2);
        }
    }

    @Test
    void aGetOnAConnectionThatTheServerHadClosedIsAnswered() throws IOException {
        CountDownLatch closed = new CountDownLatch(2);
        try (RawServer restless = RawServer.running(connection -> {
                    connection.readRequest();
                    connection.answer(200, "connection " + connection.number);
                    connection.socket.close();
                    closed.countDown();
                });
                Orders orders = Orders.over(restless.url())) {
            assertThat(orders.text("http://orders/")).isEqualTo("connection 1");
            await().until(() -> closed.getCount() == 1);
            assertThat(orders.text("http://orders/")).isEqualTo("connection 2");
            assertThat(orders.failures()).isZero();
        }
    }

    @Test
    void manyKeptAliveConnectionsThatAreAllClosedCostOneTryAndNoFailure() throws Exception {
        AtomicInteger arrived = new AtomicInteger();
        CountDownLatch together = new CountDownLatch(4);
        CountDownLatch gone = new CountDownLatch(4);
        try (RawServer restless = RawServer.running(connection -> {
                    connection.readRequest();
                    if (connection.number <= 4) {
                        arrived.incrementAndGet();
                        together.countDown();
                        awaitQuietly(together);
                    }
                    connection.answer(200, "connection " + connection.number);
                    connection.socket.close();
                    gone.countDown();
                });
                Orders orders = Orders.over(restless.url())) {
            Thread[] threads = new Thread[4];
            for (int i = 0; i < threads.length; i++) {
                threads[i] = new Thread(() -> {
                    try {
                        orders.text("http://orders/");
                    } catch (IOException e) {
                        throw new java.io.UncheckedIOException(e);
                    }
                });
                threads[i].start();
            }
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(gone.await(10, java.util.concurrent.TimeUnit.SECONDS)).isTrue();
            assertThat(orders.client.connectionPool().idleConnectionCount()).isEqualTo(4);
            assertThat(orders.text("http://orders/")).isEqualTo("connection 5");
            assertThat(orders.failures()).isZero();
        }
    }

    @Test
    void aServerThatBreaksNewConnectionsTooIsFailedAndTheNextOneAnswers() throws IOException {
        try (RawServer dying = RawServer.running(connection -> {
                    connection.readRequest();
                    if (connection.number == 1) {
                        connection.answer(200, "dying");
                        connection.readRequest();
                    }
                });
                RawServer alive = RawServer.answering("alive");
                Orders orders = Orders.over(dying.url(), alive.url())) {
            assertThat(orders.text("http://orders/")).isEqualTo("dying");
            assertThat(orders.text("http://orders/")).isEqualTo("alive");
            assertThat(orders.text("http://orders/")).isEqualTo("alive");
            assertThat(orders.failures()).isEqualTo(1);
            assertThat(dying.requests).hasSize(3);
        }
    }

    @Test
    void whereAllServersAreDownTheLastFailureIsThrownWithThoseBefore() {
        try (Orders orders = Orders.over(Orders.deadUrl(), Orders.deadUrl())) {
            assertThatThrownBy(() -> orders.get("http://orders/"))
                    .isInstanceOf(ConnectException.class)
                    .hasMessageContaining("of service 'orders'")
                    .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
            assertThat(orders.failures()).isEqualTo(2);
        }
    }

    @Test
    void anAnswerIsAnAnswerWhateverItsStatus() throws IOException {
        try (RawServer failing = RawServer.running(connection -> {
                    connection.readRequest();
                    connection.answer(503, "overloaded");
                });
                RawServer alive = RawServer.answering("alive");
                Orders orders = Orders.over(failing.url(), alive.url());
                Response response = orders.get("http://orders/")) {
            assertThat(response.code()).isEqualTo(503);
            assertThat(response.body().string()).isEqualTo("overloaded");
            assertThat(alive.requests).isEmpty();
            assertThat(orders.failures()).isEqualTo(1);
        }
    }

    @Test
    void aPostIsNotSentAgainWhereTheServerAsksForItAtOnce() throws IOException {
        try (RawServer busy = RawServer.running(connection -> {
                    while (connection.readRequest() != null) {
                        connection.answer(503, "busy", "Retry-After: 0", "X-Server: busy");
                    }
                });
                Orders orders = new Orders(
                        builder -> builder.retryOnConnectionFailure(true), Orders.service("orders", busy.url()))) {
            try (Response response = orders.post("http://orders/", BODY)) {
                assertThat(response.code()).isEqualTo(503);
                assertThat(response.header("X-Server")).isEqualTo("busy");
                // OkHttp closes it before it can be stopped.
                assertThat(response.body().string()).isEmpty();
                assertThat(orders.inFlight()).isZero();
            }
            assertThat(busy.requests).hasSize(1);
            // A GET is OkHttp's own to repeat, by which nothing is counted twice.
            try (Response response = orders.get("http://orders/")) {
                assertThat(response.body().string()).isEqualTo("busy");
            }
            assertThat(busy.requests).hasSize(3);
            assertThat(orders.picks()).isEqualTo(2);
            assertThat(orders.failures()).isEqualTo(2);
            assertThat(busy.connections()).isEqualTo(1);
        }
    }

    @Test
    void aTimeLimitThatRunsOutIsNotTriedAgain() throws IOException {
        try (RawServer silent = RawServer.running(connection -> {
                    connection.readRequest();
                    connection.readRequest();
                });
                RawServer alive = RawServer.answering("alive");
                Orders orders = new Orders(
                        builder -> builder.readTimeout(Duration.ofMillis(200)),
                        Orders.service("orders", silent.url(), alive.url()))) {
            assertThatThrownBy(() -> orders.get("http://orders/")).isInstanceOf(SocketTimeoutException.class);
            assertThat(lastError(orders, 0)).startsWith("TIMED_OUT");
            assertThat(alive.requests).isEmpty();
        }
    }

    @Test
    void aCallThatIsCancelledIsNotTriedAgainAndTeachesNothing() throws Exception {
        CountDownLatch arrived = new CountDownLatch(1);
        try (RawServer silent = RawServer.running(connection -> {
                    connection.readRequest();
                    arrived.countDown();
                    connection.readRequest();
                });
                RawServer alive = RawServer.answering("alive");
                Orders orders = Orders.over(silent.url(), alive.url())) {
            Call call = orders.client.newCall(
                    new Request.Builder().url("http://orders/").build());
            Thread canceller = new Thread(() -> {
                awaitQuietly(arrived);
                call.cancel();
            });
            canceller.start();
            assertThatThrownBy(call::execute).isInstanceOf(IOException.class);
            canceller.join();
            assertThat(alive.requests).isEmpty();
            assertThat(orders.failures()).isZero();
            assertThat(orders.inFlight()).isZero();
        }
    }

    @Test
    void theCallTimeoutSpansAllTriesAndCountsAgainstTheServerThatHadTheCall() throws IOException {
        try (RawServer silent = RawServer.running(connection -> {
                    connection.readRequest();
                    connection.readRequest();
                });
                RawServer other = RawServer.answering("classes are loaded");
                Orders orders = new Orders(
                        builder -> builder.callTimeout(Duration.ofMillis(800)),
                        Orders.service("orders", Orders.deadUrl(), silent.url()))) {
            orders.text(other.url());
            assertThatThrownBy(() -> orders.get("http://orders/"))
                    .isInstanceOf(IOException.class)
                    .hasMessage("timeout");
            assertThat(lastError(orders, 1)).startsWith("TIMED_OUT");
            assertThat(orders.inFlight()).isZero();
        }
    }

    @Test
    void theCallTimeoutIsThatOfTheCallThoughAnInterceptorBeforeOursCallsTwice() throws IOException {
        try (RawServer silent = RawServer.running(connection -> {
                    connection.readRequest();
                    connection.readRequest();
                });
                RawServer other = RawServer.answering("classes are loaded");
                Orders orders = new Orders(
                        builder -> {
                            builder.interceptors().add(0, chain -> {
                                if (chain.request().url().host().equals("orders")) {
                                    assertThatThrownBy(() -> chain.withReadTimeout(400, TimeUnit.MILLISECONDS)
                                                    .proceed(chain.request()))
                                            .isInstanceOf(SocketTimeoutException.class);
                                }
                                return chain.proceed(chain.request());
                            });
                            return builder.callTimeout(Duration.ofMillis(1200));
                        },
                        Orders.service("orders", silent.url(), silent.url().replace("127.0.0.1", "localhost")))) {
            orders.text(other.url());
            assertThatThrownBy(() -> orders.get("http://orders/")).hasMessage("timeout");
            assertThat(lastError(orders, 1)).startsWith("TIMED_OUT");
        }
    }

    @Test
    void anInterceptorThatFailsBlamesNoServer() {
        IOException own = new IOException("no token");
        try (RawServer alive = RawServer.answering("alive");
                Orders orders = new Orders(
                        builder -> builder.addInterceptor(chain -> {
                            throw own;
                        }),
                        Orders.service("orders", alive.url(), alive.url().replace("127.0.0.1", "localhost")))) {
            assertThatThrownBy(() -> orders.get("http://orders/")).isSameAs(own);
            assertThat(orders.failures()).isZero();
            assertThat(orders.picks()).isEqualTo(1);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void aBodyThatCannotBeReadBlamesNoServer() throws IOException {
        RequestBody unreadable = new RequestBody() {
            @Override
            public @Nullable MediaType contentType() {
                return null;
            }

            @Override
            public void writeTo(BufferedSink sink) throws IOException {
                throw new FileNotFoundException("upload.bin");
            }
        };
        try (RawServer alive = RawServer.answering("alive");
                Orders orders = Orders.over(alive.url())) {
            assertThatThrownBy(() -> orders.post("http://orders/", unreadable))
                    .isInstanceOf(FileNotFoundException.class);
            assertThat(orders.failures()).isZero();
            assertThat(orders.inFlight()).isZero();
        }
    }

    @Test
    void aServerWhoseNameIsUnknownIsPassedOver() throws IOException {
        try (RawServer alive = RawServer.answering("alive");
                Orders orders = new Orders(
                        builder -> builder.dns(name -> {
                            throw new java.net.UnknownHostException(name);
                        }),
                        Orders.service("orders", "http://nowhere.example:80", alive.url()))) {
            assertThat(orders.text("http://orders/")).isEqualTo("alive");
            assertThat(lastError(orders, 0)).startsWith("CONNECT_FAILED");
        }
    }

    private static String lastError(Orders orders, int index) {
        EndpointSnapshot endpoint = orders.balancer.snapshot().endpoints().get(index);
        return String.valueOf(endpoint.lastError());
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static final class OneShotBody extends RequestBody {
        final AtomicInteger written = new AtomicInteger();
        private final String text;

        OneShotBody(String text) {
            this.text = text;
        }

        @Override
        public MediaType contentType() {
            return MediaType.get("text/plain");
        }

        @Override
        public long contentLength() {
            return text.length();
        }

        @Override
        public boolean isOneShot() {
            return true;
        }

        @Override
        public void writeTo(BufferedSink sink) throws IOException {
            written.incrementAndGet();
            sink.writeUtf8(text);
        }
    }

    @Test
    void aStrategyThatFailsAtARetryIsAnIOExceptionAndLeavesNothingInFlight() throws IOException {
        try (RawServer failing = RawServer.running(connection -> {
            while (connection.readRequest() != null) {
                connection.answer(503, "failing");
            }
        })) {
            for (String url : new String[] {Orders.deadUrl(), failing.url()}) {
                AtomicInteger picks = new AtomicInteger();
                LoadBalancer balancer = LoadBalancer.builder("orders")
                        .strategy(new OwnStrategy((request, candidates) -> {
                            if (picks.getAndIncrement() > 0) {
                                throw new IllegalStateException("no second time");
                            }
                            return candidates.get(0);
                        }))
                        .retry(RetryPolicy.builder()
                                .statuses(Collections.singleton(503))
                                .build())
                        .endpoint(url)
                        .endpoint("http://127.0.0.1:1")
                        .build();
                try (Orders orders = new Orders(UnaryOperator.identity(), balancer)) {
                    assertThatThrownBy(() -> orders.get("http://orders/"))
                            .isInstanceOf(IOException.class)
                            .hasMessageContaining("picking a server of service 'orders' failed")
                            .hasRootCauseMessage("no second time");
                    assertThat(orders.inFlight()).isZero();
                    assertThat(orders.client.connectionPool().connectionCount())
                            .isEqualTo(orders.client.connectionPool().idleConnectionCount());
                }
            }
        }
    }
}
