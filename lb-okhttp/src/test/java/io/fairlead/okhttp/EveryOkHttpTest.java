package io.fairlead.okhttp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fairlead.Endpoint;
import io.fairlead.LoadBalancer;
import io.fairlead.ServiceSettings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import okhttp3.Call;
import okhttp3.Interceptor;
import okhttp3.MediaType;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okhttp3.WebSocket;
import okhttp3.WebSocketListener;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

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
        try (Orders orders = Orders.over(Orders.deadUrl(), Orders.deadUrl())) {
            assertThatThrownBy(() -> orders.get("http://orders/"))
                    .isInstanceOf(ConnectException.class)
                    .satisfies(e -> assertThat(e.getSuppressed()).isNotEmpty());
            assertThat(orders.failures()).isEqualTo(2);
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
