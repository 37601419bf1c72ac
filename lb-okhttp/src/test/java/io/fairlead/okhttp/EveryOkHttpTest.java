package io.fairlead.okhttp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fairlead.Endpoint;
import io.fairlead.LoadBalancer;
import io.fairlead.LoadBalancerBuilder;
import io.fairlead.ServiceSettings;
import io.fairlead.retry.RetryPolicy;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintStream;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import okhttp3.Cache;
import okhttp3.Call;
import okhttp3.Callback;
import okhttp3.Interceptor;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okhttp3.WebSocket;
import okhttp3.WebSocketListener;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What holds on every supported version of OkHttp; the build runs it on several. Uses nothing but bare sockets. */
class EveryOkHttpTest {
    private static final RequestBody BODY = RequestBody.create("body", MediaType.get("text/plain"));

    private static RawServer hangingUp() throws IOException {
        return RawServer.running(RawServer.Connection::readRequest);
    }

    @Test
    void theVersionIsTheOneThatTheBuildMeans() throws ReflectiveOperationException {
        String expected = System.getProperty("fairlead.test.okhttp");
        assumeTrue(expected != null, "run outside of the build");
        // Reflection, since the compiler would copy the constant.
        assertThat(Class.forName("okhttp3.OkHttp").getField("VERSION").get(null))
                .isEqualTo(expected);
    }

    @Test
    void callsByNameGoToTheServersInTurnOverOneConnectionEach() throws IOException {
        try (RawServer a = RawServer.answering("a");
                RawServer b = RawServer.answering("b");
                Orders orders = Orders.over(a.url(), b.url())) {
            List<String> answers = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                answers.add(orders.text("http://orders/items"));
            }
            assertThat(answers).containsExactly("a", "b", "a", "b", "a", "b");
            assertThat(a.connections()).isEqualTo(1);
            assertThat(b.connections()).isEqualTo(1);
        }
    }

    @Test
    void theServerSeesTheLogicalHostAndTheApplicationItsOwnRequest() throws IOException {
        Request request =
                new Request.Builder().url("http://orders:1234/x?q=%2F").build();
        try (RawServer a = RawServer.answering("a");
                Orders orders = Orders.over(a.url() + "/base");
                Response response = orders.client.newCall(request).execute()) {
            assertThat(response.body().string()).isEqualTo("a");
            assertThat(response.request()).isSameAs(request);
            assertThat(a.requests.get(0).line).isEqualTo("GET /base/x?q=%2F HTTP/1.1");
            assertThat(a.requests.get(0).header("Host")).isEqualTo("orders:1234");
        }
    }

    @Test
    void withoutPassHostHeaderTheServerSeesItsOwnName() throws IOException {
        try (RawServer a = RawServer.answering("a");
                Orders orders = new Orders(
                        UnaryOperator.identity(),
                        LoadBalancer.builder("orders")
                                .settings(ServiceSettings.DEFAULT.withPassHostHeader(false))
                                .endpoint(a.url())
                                .build())) {
            assertThat(orders.text("http://orders/")).isEqualTo("a");
            assertThat(a.requests.get(0).header("Host")).isEqualTo("127.0.0.1:" + a.port());
        }
    }

    @Test
    void withoutPassHostHeaderAForeignHostThatARedirectLeadsToSeesItsOwnName() throws IOException {
        try (RawServer foreign = RawServer.answering("foreign");
                RawServer a = RawServer.running(connection -> {
                    connection.readRequest();
                    connection.answer(302, "", "Location: " + foreign.url() + "/next");
                });
                Orders orders = new Orders(
                        UnaryOperator.identity(),
                        LoadBalancer.builder("orders")
                                .settings(ServiceSettings.DEFAULT.withPassHostHeader(false))
                                .endpoint(a.url())
                                .build())) {
            assertThat(orders.text("http://orders/")).isEqualTo("foreign");
            assertThat(foreign.requests.get(0).header("Host")).isEqualTo("127.0.0.1:" + foreign.port());
        }
    }

    @Test
    void aForeignHostIsLeftAlone() throws IOException {
        try (RawServer a = RawServer.answering("a");
                RawServer b = RawServer.answering("b");
                Orders orders = Orders.over(a.url())) {
            assertThat(orders.text(b.url())).isEqualTo("b");
            assertThat(orders.picks()).isZero();
        }
    }

    @Test
    void whereConnectingFailsGetAndPostGoOn() throws IOException {
        try (RawServer alive = RawServer.answering("alive");
                Orders orders = Orders.over(Orders.deadUrl(), alive.url());
                Response response = orders.post("http://orders/", BODY)) {
            assertThat(response.body().string()).isEqualTo("alive");
            assertThat(alive.requests.get(0).body).isEqualTo("body");
            assertThat(orders.failures()).isEqualTo(1);
            assertThat(orders.text("http://orders/")).isEqualTo("alive");
        }
    }

    @Test
    void whereTheConnectionBreaksAGetGoesOn() throws IOException {
        try (RawServer broken = hangingUp();
                RawServer alive = RawServer.answering("alive");
                Orders orders = Orders.over(broken.url(), alive.url())) {
            assertThat(orders.text("http://orders/")).isEqualTo("alive");
            assertThat(broken.requests).hasSize(1);
        }
    }

    @Test
    void whereTheConnectionBreaksAPostFails() throws IOException {
        try (RawServer broken = hangingUp();
                RawServer alive = RawServer.answering("alive");
                Orders orders = Orders.over(broken.url(), alive.url())) {
            assertThatThrownBy(() -> orders.post("http://orders/", BODY)).isInstanceOf(IOException.class);
            assertThat(broken.requests).hasSize(1);
            assertThat(alive.requests).isEmpty();
        }
    }

    @Test
    void whereAKeptAliveConnectionBreaksAPostFails() throws IOException {
        try (RawServer server = breakingItsFirstConnectionAtTheSecondRequest();
                Orders orders = Orders.over(server.url())) {
            assertThat(orders.text("http://orders/")).isEqualTo("connection 1");
            assertThatThrownBy(() -> orders.post("http://orders/", BODY)).isInstanceOf(IOException.class);
            assertThat(server.requests).hasSize(2);
        }
    }

    /** As an application gets it that asks for nothing: OkHttp's own resend is on. */
    private static Orders ofDefaultClient(String... urls) {
        return new Orders(builder -> builder.retryOnConnectionFailure(true), Orders.service("orders", urls));
    }

    private static RawServer breakingItsFirstConnectionAtTheSecondRequest() throws IOException {
        return RawServer.running(connection -> {
            while (connection.readRequest() != null) {
                connection.answer(200, "connection " + connection.number);
                if (connection.number == 1) {
                    connection.readRequest();
                    return;
                }
            }
        });
    }

    @Test
    void aGetOfADefaultClientGoesOnWhereTheConnectionBreaks() throws IOException {
        try (RawServer broken = hangingUp();
                RawServer alive = RawServer.answering("alive");
                Orders orders = ofDefaultClient(broken.url(), alive.url())) {
            assertThat(orders.text("http://orders/")).isEqualTo("alive");
            assertThat(broken.requests).hasSize(1);
            assertThat(orders.failures()).isEqualTo(1);
        }
    }

    @Test
    void aGetOfADefaultClientSurvivesAKeptAliveConnectionThatBreaks() throws IOException {
        try (RawServer server = breakingItsFirstConnectionAtTheSecondRequest();
                Orders orders = ofDefaultClient(server.url())) {
            assertThat(orders.text("http://orders/")).isEqualTo("connection 1");
            assertThat(orders.text("http://orders/")).isEqualTo("connection 2");
            assertThat(server.requests).hasSize(3);
            assertThat(orders.failures()).isZero();
        }
    }

    @Test
    void aGetOfADefaultClientGoesOnWhereConnectingFails() throws IOException {
        try (RawServer alive = RawServer.answering("alive");
                Orders orders = ofDefaultClient(Orders.deadUrl(), alive.url())) {
            assertThat(orders.text("http://orders/")).isEqualTo("alive");
            assertThat(orders.failures()).isEqualTo(1);
        }
    }

    @Test
    void whereTheResendOfADefaultClientCannotBeSwitchedOffItIsSaidOnce() throws IOException {
        PrintStream before = System.err;
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        System.setErr(new PrintStream(log, true, "UTF-8"));
        try (RawServer a = RawServer.answering("a");
                Orders warned = ofDefaultClient(a.url());
                Orders content = Orders.over(a.url())) {
            warned.text("http://orders/");
            warned.text("http://orders/");
            content.text("http://orders/");
        } finally {
            System.setErr(before);
        }
        assertThat(log.toString("UTF-8").split("retryOnConnectionFailure\\(false\\)", -1))
                .hasSize(pins() ? 1 : 2);
    }

    private static boolean pins() {
        return Arrays.stream(Interceptor.Chain.class.getMethods())
                .anyMatch(method -> method.getName().equals("withDns"));
    }

    @Test
    void whereAllServersAreDownTheCallFails() {
        String one = Orders.deadUrl();
        String two = Orders.deadUrl();
        try (Orders orders = Orders.over(one, two)) {
            assertThatThrownBy(() -> orders.get("http://orders/"))
                    .isExactlyInstanceOf(ConnectException.class)
                    .hasMessageStartingWith("server " + two + " of service 'orders': ")
                    .hasRootCauseInstanceOf(ConnectException.class)
                    .satisfies(e -> assertThat(e.getSuppressed())
                            .singleElement()
                            .satisfies(earlier -> assertThat(earlier)
                                    .hasMessageStartingWith("server " + one + " of service 'orders'")));
            assertThat(orders.failures()).isEqualTo(2);
            assertThat(orders.balancer.snapshot().endpoints().get(0).lastError())
                    .as("what the dashboard shows")
                    .contains(one)
                    .doesNotContain(":80");
        }
    }

    @Test
    void aServerWhoseNameNobodyKnowsIsNamedTogetherWithItsService() {
        Orders unknown = new Orders(
                builder -> builder.dns(name -> {
                    throw new UnknownHostException(name + " is not known");
                }),
                Orders.service("orders", "http://nowhere.example:8080"));
        try (Orders orders = unknown) {
            assertThatThrownBy(() -> orders.get("http://orders/"))
                    .isExactlyInstanceOf(UnknownHostException.class)
                    .hasMessage("server http://nowhere.example:8080 of service 'orders':"
                            + " nowhere.example is not known");
        }
    }

    @Test
    void aServiceMayBeNamedByAnAddress() throws IOException {
        try (RawServer a = RawServer.answering("a");
                Orders orders = new Orders(UnaryOperator.identity(), Orders.service("127.0.0.9", a.url()))) {
            assertThat(orders.text("http://127.0.0.9/")).isEqualTo("a");
            assertThat(orders.text("http://127.0.0.9:" + a.port() + "/")).isEqualTo("a");
            assertThat(a.requests.get(0).header("Host")).isEqualTo("127.0.0.9");
        }
        try (RawServer a = RawServer.answering("a");
                Orders orders = new Orders(UnaryOperator.identity(), Orders.service("::9", a.url()))) {
            assertThat(orders.text("http://[::9]/")).isEqualTo("a");
            assertThat(a.requests.get(0).header("Host")).isEqualTo("[::9]");
        }
    }

    @Test
    void anInterceptorThatWasAddedTwiceChoosesOnce() throws IOException {
        try (RawServer a = RawServer.answering("a");
                RawServer b = RawServer.answering("b");
                Orders orders = Orders.over(a.url(), b.url())) {
            OkHttpClient twice = orders.client
                    .newBuilder()
                    .addInterceptor(orders.interceptor)
                    .build();
            for (String name : new String[] {"a", "b", "a"}) {
                try (Response response = twice.newCall(
                                new Request.Builder().url("http://orders/").build())
                        .execute()) {
                    assertThat(response.body().string()).isEqualTo(name);
                    assertThat(orders.inFlight()).isZero();
                }
            }
            assertThat(orders.picks()).isEqualTo(3);
        }
    }

    @Test
    void anAnswerOfAStatusThatIsTriedAgainGoesToTheNextServer() throws IOException {
        try (RawServer failing = RawServer.running(connection -> {
                    while (connection.readRequest() != null) {
                        connection.answer(503, "failing");
                    }
                });
                RawServer alive = RawServer.answering("alive");
                Orders orders = retrying(
                        RetryPolicy.builder().statuses(Collections.singleton(503)), failing.url(), alive.url())) {
            assertThat(orders.text("http://orders/")).isEqualTo("alive");
            assertThat(orders.text("http://orders/")).isEqualTo("alive");
            assertThat(failing.connections()).isEqualTo(1);
        }
    }

    private static Orders retrying(RetryPolicy.Builder policy, String... urls) {
        LoadBalancerBuilder builder =
                LoadBalancer.builder("orders").strategy("round-robin").retry(policy.build());
        for (String url : urls) {
            builder.endpoint(url);
        }
        return new Orders(UnaryOperator.identity(), builder.build());
    }

    private static RawServer silent() throws IOException {
        return RawServer.running(connection -> {
            connection.readRequest();
            connection.readRequest();
        });
    }

    @Test
    void aTryThatTakesTooLongGoesToTheNextServer() throws IOException {
        try (RawServer silent = silent();
                RawServer alive = RawServer.answering("alive");
                Orders orders = retrying(
                        RetryPolicy.builder().perTryTimeout(Duration.ofMillis(300)), silent.url(), alive.url())) {
            assertThat(orders.text("http://orders/")).isEqualTo("alive");
            assertThat(orders.failures()).isEqualTo(1);
        }
    }

    @Test
    void aServerThatDoesNotTakeTheBodyWithinTheTimeOfATryIsPassedOver() throws IOException {
        CountDownLatch over = new CountDownLatch(1);
        try (RawServer blocked = RawServer.running(connection -> awaitQuietly(over));
                RawServer alive = RawServer.answering("alive");
                Orders orders = retrying(
                        RetryPolicy.builder().perTryTimeout(Duration.ofMillis(600)), blocked.url(), alive.url())) {
            // More than the buffers of two sockets hold.
            Request put = new Request.Builder()
                    .url("http://orders/")
                    .put(RequestBody.create(new byte[6 << 20], null))
                    .build();
            try (Response response = orders.client.newCall(put).execute()) {
                assertThat(response.body().string()).isEqualTo("alive");
                assertThat(alive.requests.get(0).body.length()).isEqualTo(6 << 20);
            }
            over.countDown();
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void theCallTimeoutSpansAllTries() throws IOException {
        try (RawServer one = silent();
                RawServer two = silent();
                Orders orders = new Orders(
                        builder -> builder.callTimeout(Duration.ofMillis(500)),
                        LoadBalancer.builder("orders")
                                .endpoint(one.url())
                                .endpoint(two.url())
                                .retry(RetryPolicy.builder()
                                        .perTryTimeout(Duration.ofMillis(400))
                                        .build())
                                .build())) {
            long start = System.nanoTime();
            assertThatThrownBy(() -> orders.get("http://orders/"))
                    .isInstanceOf(InterruptedIOException.class)
                    .hasMessage("timeout");
            assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(5));
            assertThat(one.requests.size() + two.requests.size()).isLessThanOrEqualTo(2);
        }
    }

    @Test
    void asynchronousCallsAndTheirClonesAreBalanced() throws Exception {
        try (RawServer a = RawServer.answering("a");
                RawServer b = RawServer.answering("b");
                Orders orders = Orders.over(a.url(), b.url())) {
            Call first = orders.client.newCall(
                    new Request.Builder().url("http://orders/").build());
            assertThat(enqueued(first)).isEqualTo("a");
            assertThat(enqueued(first.clone())).isEqualTo("b");
        }
    }

    private static String enqueued(Call call) throws Exception {
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
        return answer.get(10, TimeUnit.SECONDS);
    }

    @Test
    void aChallengeIsAnsweredToTheServerThatMadeIt() throws IOException {
        try (RawServer guarded = RawServer.running(connection -> {
                    for (RawServer.Request request = connection.readRequest();
                            request != null;
                            request = connection.readRequest()) {
                        connection.answer(request.header("Authorization") == null ? 401 : 200, "answer");
                    }
                });
                RawServer other = RawServer.answering("other");
                Orders orders = new Orders(
                        builder -> builder.authenticator((route, response) -> response.request()
                                .newBuilder()
                                .header("Authorization", "Basic me")
                                .build()),
                        Orders.service("orders", guarded.url(), other.url()));
                Response response = orders.get("http://orders/x")) {
            assertThat(response.body().string()).isEqualTo("answer");
            assertThat(response.request().url()).hasToString("http://orders/x");
            assertThat(response.priorResponse().request().url()).hasToString("http://orders/x");
            assertThat(guarded.requests).hasSize(2);
            assertThat(orders.picks()).isEqualTo(1);
        }
    }

    @Test
    void anAnswerFromTheClientsCacheIsCountedForNoServer(@TempDir Path directory) throws IOException {
        try (RawServer a = RawServer.running(connection -> {
                    while (connection.readRequest() != null) {
                        connection.answer(200, "cached", "Cache-Control: max-age=60");
                    }
                });
                Cache cache = new Cache(directory.toFile(), 1_000_000);
                Orders orders = new Orders(builder -> builder.cache(cache), Orders.service("orders", a.url()))) {
            assertThat(orders.text("http://orders/")).isEqualTo("cached");
            assertThat(orders.text("http://orders/")).isEqualTo("cached");
            assertThat(a.requests).hasSize(1);
            assertThat(orders.inFlight()).isZero();
        }
    }

    @Test
    void aTagThatAnInterceptorPutsThereIsToldTheServerToo() throws IOException {
        List<String> servers = new ArrayList<>();
        try (RawServer a = RawServer.answering("a");
                Orders orders = new Orders(
                        builder -> {
                            builder.interceptors().add(0, chain -> {
                                EndpointTag tag = new EndpointTag();
                                Response response = chain.proceed(chain.request()
                                        .newBuilder()
                                        .tag(EndpointTag.class, tag)
                                        .build());
                                servers.add(String.valueOf(tag.endpoint()));
                                return response;
                            });
                            return builder;
                        },
                        Orders.service("orders", a.url()))) {
            orders.text("http://orders/");
            assertThat(servers).singleElement().asString().contains(a.url());
        }
    }

    @Test
    void aServiceWithoutServersFailsWithItsName() {
        try (Orders orders = Orders.over()) {
            assertThatThrownBy(() -> orders.get("http://orders/"))
                    .isInstanceOf(NoServerException.class)
                    .hasMessageContaining("'orders'");
        }
    }

    @Test
    void aRequestIsInFlightUntilItsBodyIsClosed() throws IOException {
        try (RawServer a = RawServer.answering("a body");
                Orders orders = Orders.over(a.url())) {
            Response response = orders.get("http://orders/");
            assertThat(orders.inFlight()).isEqualTo(1);
            assertThat(response.body().source().readByte()).isEqualTo((byte) 'a');
            response.close();
            assertThat(orders.inFlight()).isZero();
        }
    }

    @Test
    void aCancelledCallTeachesNothing() throws Exception {
        CountDownLatch arrived = new CountDownLatch(1);
        try (RawServer silent = RawServer.running(connection -> {
                    connection.readRequest();
                    arrived.countDown();
                    connection.readRequest();
                });
                Orders orders = Orders.over(silent.url())) {
            Call call = orders.client.newCall(
                    new Request.Builder().url("http://orders/").build());
            Thread canceller = new Thread(() -> {
                try {
                    arrived.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                call.cancel();
            });
            canceller.start();
            assertThatThrownBy(call::execute).isInstanceOf(IOException.class);
            canceller.join();
            assertThat(orders.failures()).isZero();
        }
    }

    @Test
    void aRelativeRedirectIsFollowedAndLogical() throws IOException {
        RawServer.Script script = connection -> {
            RawServer.Request request = connection.readRequest();
            while (request != null) {
                if (request.line.startsWith("GET /start ")) {
                    connection.answer(302, "", "Location: /next");
                } else {
                    connection.answer(200, request.line);
                }
                request = connection.readRequest();
            }
        };
        try (RawServer a = RawServer.running(script);
                Orders orders = Orders.over(a.url());
                Response response = orders.get("http://orders/start")) {
            assertThat(response.body().string()).isEqualTo("GET /next HTTP/1.1");
            assertThat(response.request().url()).hasToString("http://orders/next");
            assertThat(response.request().header("Host")).isNull();
        }
    }

    @Test
    void aWebSocketReachesItsServerAndLeavesNothingInFlight() throws Exception {
        RawServer.Script script = connection -> {
            connection.upgrade(connection.readRequest());
            // RFC 6455: a text of two characters, then a close without a status.
            connection.socket.getOutputStream().write(new byte[] {(byte) 0x81, 2, 'h', 'i', (byte) 0x88, 0});
            connection.readRequest();
        };
        CompletableFuture<String> host = new CompletableFuture<>();
        CompletableFuture<String> text = new CompletableFuture<>();
        try (RawServer server = RawServer.running(script);
                Orders orders = Orders.over(Orders.deadUrl(), server.url())) {
            orders.client.newWebSocket(
                    new Request.Builder().url("ws://orders/chat").build(), new WebSocketListener() {
                        @Override
                        public void onOpen(WebSocket webSocket, Response response) {
                            host.complete(response.request().url().host());
                        }

                        @Override
                        public void onMessage(WebSocket webSocket, String message) {
                            text.complete(message);
                        }

                        @Override
                        public void onClosing(WebSocket webSocket, int code, String reason) {
                            webSocket.close(1000, null);
                        }

                        @Override
                        public void onFailure(WebSocket webSocket, Throwable t, @Nullable Response response) {
                            host.completeExceptionally(t);
                            text.completeExceptionally(t);
                        }
                    });
            assertThat(host.get(10, TimeUnit.SECONDS)).isEqualTo("orders");
            assertThat(text.get(10, TimeUnit.SECONDS)).isEqualTo("hi");
        }
    }

    @Test
    void aTagOfTheRequestTellsWhichServerItWentTo() throws IOException {
        try (RawServer alive = RawServer.answering("alive");
                Orders orders = Orders.over(Orders.deadUrl(), alive.url())) {
            EndpointTag tag = new EndpointTag();
            Call call = orders.client.newCall(new Request.Builder()
                    .url("http://orders/")
                    .tag(EndpointTag.class, tag)
                    .build());
            assertThat(EndpointTag.of(call)).isNull();
            try (Response response = call.execute()) {
                assertThat(response.isSuccessful()).isTrue();
                assertThat(tag.endpoint().uri()).hasToString(alive.url());
                assertThat(EndpointTag.of(call)).isSameAs(tag.endpoint());
            }
        }
    }

    @Test
    void withoutATagItIsKnownWhereCallsCanCarryIt() throws IOException {
        try (RawServer a = RawServer.answering("a");
                Orders orders = Orders.over(a.url())) {
            Call call = orders.client.newCall(
                    new Request.Builder().url("http://orders/").build());
            call.execute().close();
            Endpoint server = EndpointTag.of(call);
            assertThat(server == null ? null : server.uri().toString()).isEqualTo(pins() ? a.url() : null);
        }
    }
}
