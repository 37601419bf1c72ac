package io.fairlead.okhttp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import mockwebserver3.MockResponse;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.WebSocket;
import okhttp3.WebSocketListener;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Web sockets: balanced when they connect, and in flight until their end. */
class WebSocketTest {
    private Backend a;
    private Backend b;

    @BeforeEach
    void start() throws IOException {
        a = Backend.named("a");
        b = Backend.named("b");
        a.answer = request -> echoing("a");
        b.answer = request -> echoing("b");
    }

    @AfterEach
    void stop() {
        a.close();
        b.close();
    }

    private static MockResponse echoing(String name) {
        return new MockResponse.Builder()
                .webSocketUpgrade(new WebSocketListener() {
                    @Override
                    public void onMessage(WebSocket webSocket, String text) {
                        if (text.equals("die")) {
                            webSocket.cancel();
                        } else {
                            webSocket.send(name + " " + text);
                        }
                    }

                    @Override
                    public void onClosing(WebSocket webSocket, int code, String reason) {
                        webSocket.close(code, reason);
                    }
                })
                .build();
    }

    private static final class Client extends WebSocketListener {
        final CompletableFuture<String> host = new CompletableFuture<>();
        final CompletableFuture<String> message = new CompletableFuture<>();
        final CompletableFuture<Integer> closed = new CompletableFuture<>();
        final CompletableFuture<Throwable> failed = new CompletableFuture<>();
        final WebSocket socket;

        Client(Orders orders) {
            socket = orders.client.newWebSocket(
                    new Request.Builder().url("ws://orders/chat").build(), this);
        }

        String echo(String text) throws Exception {
            socket.send(text);
            return message.get(10, TimeUnit.SECONDS);
        }

        @Override
        public void onOpen(WebSocket webSocket, Response response) {
            host.complete(response.request().url().host());
        }

        @Override
        public void onMessage(WebSocket webSocket, String text) {
            message.complete(text);
        }

        @Override
        public void onClosed(WebSocket webSocket, int code, String reason) {
            closed.complete(code);
        }

        @Override
        public void onFailure(WebSocket webSocket, Throwable t, @Nullable Response response) {
            host.completeExceptionally(t);
            message.completeExceptionally(t);
            closed.completeExceptionally(t);
            failed.complete(t);
        }
    }

    @Test
    void itIsBalancedAtConnectAndInFlightUntilItIsClosed() throws Exception {
        try (Orders orders = Orders.over(a.url(), b.url())) {
            Client one = new Client(orders);
            assertThat(one.echo("hello")).isEqualTo("a hello");
            assertThat(one.host.get(10, TimeUnit.SECONDS)).isEqualTo("orders");
            Client two = new Client(orders);
            assertThat(two.echo("hello")).isEqualTo("b hello");
            assertThat(orders.inFlight()).isEqualTo(2);
            one.socket.close(1000, null);
            assertThat(one.closed.get(10, TimeUnit.SECONDS)).isEqualTo(1000);
            await().until(() -> orders.inFlight() == 1);
            two.socket.close(1000, null);
            await().until(() -> orders.inFlight() == 0);
            assertThat(orders.picks()).isEqualTo(2);
            assertThat(orders.failures()).isZero();
        }
    }

    @Test
    void oneThatTheApplicationCancelsEndsAndTeachesNothing() throws Exception {
        try (Orders orders = Orders.over(a.url())) {
            Client client = new Client(orders);
            assertThat(client.echo("hello")).isEqualTo("a hello");
            assertThat(orders.inFlight()).isEqualTo(1);
            client.socket.cancel();
            await().until(() -> orders.inFlight() == 0);
            assertThat(client.failed.get(10, TimeUnit.SECONDS)).isInstanceOf(IOException.class);
            assertThat(orders.failures()).isZero();
        }
    }

    @Test
    void oneWhoseServerGoesWithoutAWordEnds() throws Exception {
        try (Orders orders = Orders.over(a.url())) {
            Client client = new Client(orders);
            assertThat(client.echo("hello")).isEqualTo("a hello");
            client.socket.send("die");
            assertThat(client.failed.get(10, TimeUnit.SECONDS)).isInstanceOf(IOException.class);
            await().until(() -> orders.inFlight() == 0);
        }
    }

    @Test
    void oneWhoseConnectionIsResetCountsAgainstItsServer() throws Exception {
        try (RawServer server = RawServer.running(connection -> {
                    connection.upgrade(connection.readRequest());
                    // The client's first frame is left unread and the connection is reset.
                    connection.socket.getInputStream().read();
                    connection.socket.setSoLinger(true, 0);
                });
                Orders orders = Orders.over(server.url())) {
            Client client = new Client(orders);
            client.host.get(10, TimeUnit.SECONDS);
            assertThat(orders.inFlight()).isEqualTo(1);
            client.socket.send("hello");
            assertThat(client.failed.get(10, TimeUnit.SECONDS)).isInstanceOf(IOException.class);
            await().until(() -> orders.inFlight() == 0);
            assertThat(orders.failures()).isEqualTo(1);
        }
    }

    @Test
    void aServerThatDoesNotUpgradeEndsAtItsAnswer() throws Exception {
        a.answer = request -> Backend.text("no");
        try (Orders orders = Orders.over(a.url())) {
            Client client = new Client(orders);
            assertThat(client.failed.get(10, TimeUnit.SECONDS)).hasMessageContaining("101");
            await().until(() -> orders.inFlight() == 0);
        }
    }

    @Test
    void oneConnectsToTheNextServerWhereTheFirstRefuses() throws Exception {
        try (Orders orders = Orders.over(Orders.deadUrl(), b.url())) {
            Client client = new Client(orders);
            assertThat(client.echo("hello")).isEqualTo("b hello");
            client.socket.close(1000, null);
            assertThat(client.closed.get(10, TimeUnit.SECONDS)).isEqualTo(1000);
            await().until(() -> orders.inFlight() == 0);
        }
    }
}
