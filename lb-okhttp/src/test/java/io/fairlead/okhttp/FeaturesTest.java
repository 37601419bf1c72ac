package io.fairlead.okhttp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import mockwebserver3.MockResponse;
import okhttp3.Call;
import okhttp3.Callback;
import okhttp3.Dispatcher;
import okhttp3.Dns;
import okhttp3.EventListener;
import okhttp3.Interceptor;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okhttp3.sse.EventSource;
import okhttp3.sse.EventSourceListener;
import okhttp3.sse.EventSources;
import okio.BufferedSink;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What OkHttp can do by itself it can do with a service's name, too. */
class FeaturesTest {
    private Backend a;
    private Backend b;

    @BeforeEach
    void start() throws IOException {
        a = Backend.named("a");
        b = Backend.named("b");
    }

    @AfterEach
    void stop() {
        a.close();
        b.close();
    }

    private static Request request() {
        return new Request.Builder().url("http://orders/").build();
    }

    @Test
    void anUploadOfUnknownLengthIsStreamed() throws Exception {
        CountDownLatch firstArrived = new CountDownLatch(1);
        CompletableFuture<String> rest = new CompletableFuture<>();
        RawServer.Script reading = connection -> {
            connection.readRequest();
            String first = connection.readLine() + " " + connection.readLine();
            // The client writes the second only now.
            firstArrived.countDown();
            rest.complete(first + ", " + connection.readLine() + " " + connection.readLine());
            connection.answer(200, "read");
        };
        RequestBody body = new RequestBody() {
            @Override
            public @Nullable MediaType contentType() {
                return MediaType.get("text/plain");
            }

            @Override
            public boolean isOneShot() {
                return true;
            }

            @Override
            public void writeTo(BufferedSink sink) throws IOException {
                sink.writeUtf8("first");
                sink.flush();
                HedgingTest.awaitQuietly(firstArrived);
                sink.writeUtf8("second");
            }
        };
        try (RawServer server = RawServer.running(reading);
                Orders orders = Orders.over(Orders.deadUrl(), server.url());
                Response response = orders.post("http://orders/", body)) {
            assertThat(response.body().string()).isEqualTo("read");
            assertThat(rest.get(10, TimeUnit.SECONDS)).isEqualTo("5 first, 6 second");
            assertThat(server.requests.get(0).header("Transfer-Encoding")).isEqualTo("chunked");
        }
    }

    @Test
    void aDownloadIsReadAsItComes() throws IOException {
        CountDownLatch firstRead = new CountDownLatch(1);
        try (RawServer server = RawServer.running(connection -> {
                    connection.readRequest();
                    connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n");
                    HedgingTest.awaitQuietly(firstRead);
                    connection.send("6\r\nsecond\r\n0\r\n\r\n");
                });
                Orders orders = Orders.over(server.url());
                Response response = orders.get("http://orders/")) {
            assertThat(response.body().source().readUtf8(5)).isEqualTo("first");
            firstRead.countDown();
            assertThat(response.body().source().readUtf8()).isEqualTo("second");
            assertThat(orders.inFlight()).isZero();
        }
    }

    @Test
    void anEventStreamIsBalancedAtConnectAndInFlightUntilItEnds() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        CompletableFuture<String> event = new CompletableFuture<>();
        CompletableFuture<String> end = new CompletableFuture<>();
        EventSourceListener listener = new EventSourceListener() {
            @Override
            public void onEvent(EventSource source, @Nullable String id, @Nullable String type, String data) {
                event.complete(data);
            }

            @Override
            public void onClosed(EventSource source) {
                end.complete("closed");
            }

            @Override
            public void onFailure(EventSource source, @Nullable Throwable t, @Nullable Response response) {
                event.completeExceptionally(t == null ? new IOException("refused") : t);
                end.completeExceptionally(t == null ? new IOException("refused") : t);
            }
        };
        try (RawServer server = RawServer.running(connection -> {
                    connection.readRequest();
                    connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
                            + "Transfer-Encoding: chunked\r\n\r\n10\r\ndata: something\n\r\n1\r\n\n\r\n");
                    HedgingTest.awaitQuietly(over);
                    connection.send("0\r\n\r\n");
                });
                Orders orders = Orders.over(Orders.deadUrl(), server.url())) {
            EventSources.createFactory(orders.client).newEventSource(request(), listener);
            assertThat(event.get(10, TimeUnit.SECONDS)).isEqualTo("something");
            assertThat(orders.inFlight()).isEqualTo(1);
            over.countDown();
            assertThat(end.get(10, TimeUnit.SECONDS)).isEqualTo("closed");
            await().until(() -> orders.inFlight() == 0);
            assertThat(orders.failures()).as("the server that refused").isEqualTo(1);
        }
    }

    @Test
    void interceptorsBeforeAndAfterSeeTheLogicalRequest() throws IOException {
        List<String> seen = new CopyOnWriteArrayList<>();
        Interceptor noting = chain -> {
            seen.add(chain.request().method() + " " + chain.request().url());
            Response response = chain.proceed(chain.request()
                    .newBuilder()
                    .addHeader("X-Seen", "" + seen.size())
                    .build());
            seen.add(response.code() + " " + response.request().url());
            return response;
        };
        try (Orders orders = new Orders(
                builder -> {
                    builder.interceptors().add(0, noting);
                    return builder.addInterceptor(noting).addNetworkInterceptor(noting);
                },
                Orders.service("orders", a.url()))) {
            assertThat(orders.text("http://orders/x")).isEqualTo("a");
            assertThat(seen)
                    .containsExactly(
                            "GET http://orders/x",
                            "GET http://orders/x",
                            "GET http://orders/x",
                            "200 http://orders/x",
                            "200 http://orders/x",
                            "200 http://orders/x");
            assertThat(a.requests.get(0).getHeaders().values("X-Seen")).containsExactly("1", "2", "3");
        }
    }

    @Test
    void aListenerLearnsWhichServerTheCallGoesTo() throws IOException {
        List<String> servers = new CopyOnWriteArrayList<>();
        EventListener listener = new EventListener() {
            @Override
            public void callStart(Call call) {
                servers.add("start " + EndpointTag.of(call));
            }

            @Override
            public void requestHeadersEnd(Call call, Request request) {
                servers.add(String.valueOf(EndpointTag.of(call).uri()));
            }
        };
        try (Orders orders =
                new Orders(builder -> builder.eventListener(listener), Orders.service("orders", a.url(), b.url()))) {
            orders.text("http://orders/");
            orders.text("http://orders/");
        }
        assertThat(servers).containsExactly("start null", a.url(), "start null", b.url());
    }

    @Test
    void theDispatchersLimitOfAHostIsThatOfTheService() throws Exception {
        Dispatcher dispatcher = new Dispatcher();
        dispatcher.setMaxRequestsPerHost(2);
        CountDownLatch over = new CountDownLatch(1);
        a.answer = request -> waiting(over);
        b.answer = request -> waiting(over);
        try (Orders orders =
                new Orders(builder -> builder.dispatcher(dispatcher), Orders.service("orders", a.url(), b.url()))) {
            List<CompletableFuture<String>> answers = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                answers.add(enqueue(orders.client.newCall(request())));
            }
            await().until(() -> a.requests.size() + b.requests.size() == 2);
            assertThat(dispatcher.runningCallsCount()).isEqualTo(2);
            assertThat(dispatcher.queuedCallsCount()).isEqualTo(1);
            over.countDown();
            for (CompletableFuture<String> answer : answers) {
                assertThat(answer.get(10, TimeUnit.SECONDS)).isEqualTo("done");
            }
        }
    }

    private static MockResponse waiting(CountDownLatch over) {
        HedgingTest.awaitQuietly(over);
        return Backend.text("done");
    }

    private static CompletableFuture<String> enqueue(Call call) {
        CompletableFuture<String> answer = new CompletableFuture<>();
        call.enqueue(new Callback() {
            @Override
            public void onFailure(Call failed, IOException e) {
                answer.completeExceptionally(e);
            }

            @Override
            public void onResponse(Call answered, Response response) throws IOException {
                answer.complete(response.body().string());
            }
        });
        return answer;
    }

    @Test
    void aClonedCallIsBalancedAnew() throws IOException {
        try (Orders orders = Orders.over(a.url(), b.url())) {
            Call call = orders.client.newCall(request());
            try (Response first = call.execute();
                    Response second = call.clone().execute()) {
                assertThat(first.body().string()).isEqualTo("a");
                assertThat(second.body().string()).isEqualTo("b");
            }
        }
    }

    @Test
    void aClientMadeOfAnotherSharesItsServersAndConnections() throws IOException {
        try (Orders orders = Orders.over(a.url(), b.url())) {
            assertThat(orders.text("http://orders/")).isEqualTo("a");
            assertThat(orders.text("http://orders/")).isEqualTo("b");
            OkHttpClient patient =
                    orders.client.newBuilder().readTimeout(1, TimeUnit.MINUTES).build();
            try (Response response = patient.newCall(request()).execute()) {
                assertThat(response.body().string()).isEqualTo("a");
            }
            assertThat(a.connections()).isEqualTo(1);
        }
    }

    @Test
    void aServerWithSeveralAddressesIsReachedByTheOneThatAnswers() throws IOException {
        InetAddress alive = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
        InetAddress dead = InetAddress.getByAddress(new byte[] {127, 0, 0, 2});
        Dns dns = name -> Arrays.asList(dead, alive);
        for (boolean fast : new boolean[] {true, false}) {
            try (Orders orders = new Orders(
                    builder -> builder.dns(dns).fastFallback(fast),
                    Orders.service("orders", "http://server.internal:" + a.port()))) {
                assertThat(orders.text("http://orders/")).isEqualTo("a");
                assertThat(orders.failures()).isZero();
            }
        }
    }

    @Test
    void eachAddressOfAServerThatRefusesIsNamed() throws IOException {
        InetAddress one = InetAddress.getByAddress(new byte[] {127, 0, 0, 2});
        InetAddress two = InetAddress.getByAddress(new byte[] {127, 0, 0, 3});
        int port = URI.create(Orders.deadUrl()).getPort();
        try (Orders orders = new Orders(
                builder -> builder.dns(name -> Arrays.asList(one, two)),
                Orders.service("orders", "http://server.internal:" + port))) {
            assertThatThrownBy(() -> orders.get("http://orders/"))
                    .isExactlyInstanceOf(ConnectException.class)
                    .hasMessageStartingWith("server http://server.internal:" + port + " of service 'orders': 127.0.0.")
                    .hasMessageContaining(":" + port + ": ")
                    .hasRootCauseInstanceOf(ConnectException.class);
        }
    }

    @Test
    void aServerWhoseNameMovesIsReachedAtItsNewAddressByTheNextConnection() throws IOException {
        AtomicReference<InetAddress> address =
                new AtomicReference<>(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));
        try (RawServer before = RawServer.answering("before");
                RawServer after = RawServer.running(
                        connection -> {
                            while (connection.readRequest() != null) {
                                connection.answer(200, "after");
                            }
                        },
                        InetAddress.getByAddress(new byte[] {127, 0, 0, 2}),
                        before.port());
                Orders orders = new Orders(
                        builder -> builder.dns(name -> Collections.singletonList(address.get())),
                        Orders.service("orders", "http://server.internal:" + before.port()))) {
            assertThat(orders.text("http://orders/")).isEqualTo("before");
            address.set(InetAddress.getByAddress(new byte[] {127, 0, 0, 2}));
            before.die();
            assertThat(orders.text("http://orders/")).isEqualTo("after");
            assertThat(after.connections()).isEqualTo(1);
        }
    }

    @Test
    void aProxyThatTheClientNamesIsUsedForEveryServer() throws IOException {
        Proxy proxy = new Proxy(Proxy.Type.HTTP, new InetSocketAddress(InetAddress.getLoopbackAddress(), b.port()));
        try (Orders orders = new Orders(builder -> builder.proxy(proxy), Orders.service("orders", a.url()))) {
            assertThat(orders.text("http://orders/x")).isEqualTo("b");
            assertThat(b.requests.get(0).getRequestLine()).isEqualTo("GET " + a.url() + "/x HTTP/1.1");
            assertThat(b.requests.get(0).getHeaders().get("Host")).isEqualTo("orders");
        }
    }

    @Test
    void whatAnInterceptorThrowsIsThrown() {
        try (Orders orders = new Orders(
                builder -> builder.addInterceptor(chain -> {
                    throw new IOException("not today");
                }),
                Orders.service("orders", a.url(), b.url()))) {
            assertThatThrownBy(() -> orders.get("http://orders/"))
                    .isInstanceOf(IOException.class)
                    .hasMessage("not today");
            assertThat(orders.failures()).isZero();
            assertThat(orders.picks()).isEqualTo(1);
        }
    }

    @Test
    void aCallThatIsCancelledBeforeItIsMadeReachesNobody() {
        try (Orders orders = new Orders(UnaryOperator.identity(), Orders.service("orders", a.url()))) {
            Call call = orders.client.newCall(request());
            call.cancel();
            assertThatThrownBy(call::execute).isInstanceOf(IOException.class).hasMessage("Canceled");
            assertThat(a.requests).isEmpty();
            assertThat(orders.failures()).isZero();
        }
    }
}
