package io.fairlead.okhttp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.LoadBalancer;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.time.Duration;
import okhttp3.Request;
import okhttp3.Response;
import org.junit.jupiter.api.Test;

/** A client whose sockets are made by a factory of its own. */
class OwnSocketsTest {
    private final CountingSocketFactory own = new CountingSocketFactory();

    private Orders over(LoadBalancer service) {
        return new Orders(builder -> builder.socketFactory(own), service);
    }

    /** A server that sends those who ask for {@code /start} on to {@code /next}, and says its name there. */
    private static RawServer.Script redirecting(String name, String location) {
        return connection -> {
            for (RawServer.Request request = connection.readRequest();
                    request != null;
                    request = connection.readRequest()) {
                if (request.line.startsWith("GET /start ")) {
                    connection.answer(302, "", "Location: " + location);
                } else {
                    connection.answer(200, name);
                }
            }
        };
    }

    /** Another machine's server on the same port. */
    private static RawServer besides(RawServer server, RawServer.Script script) throws IOException {
        return RawServer.running(script, InetAddress.getByName("127.0.0.2"), server.port());
    }

    @Test
    void itsSocketsAreUsedAndTheRequestStaysLogical() throws IOException {
        Request request = new Request.Builder().url("http://orders/x").build();
        String[] seen = new String[1];
        try (RawServer a = RawServer.answering("a");
                RawServer b = RawServer.answering("b");
                Orders orders = new Orders(
                        builder -> builder.socketFactory(own).addNetworkInterceptor(chain -> {
                            seen[0] = chain.request().url().toString();
                            return chain.proceed(chain.request());
                        }),
                        Orders.service("orders", a.url(), b.url()))) {
            for (String name : new String[] {"a", "b", "a", "b"}) {
                try (Response response = orders.client.newCall(request).execute()) {
                    assertThat(response.body().string()).isEqualTo(name);
                    assertThat(response.request()).isSameAs(request);
                }
            }
            assertThat(own.made.get()).isEqualTo(2);
            assertThat(a.requests.get(0).header("Host")).isEqualTo("orders");
            assertThat(seen[0]).isEqualTo("http://orders/x");
        }
    }

    @Test
    void aRedirectReachesTheServerThatWasPickedForItEvenOnTheSamePort() throws IOException {
        for (int attempt = 0; ; attempt++) {
            try (RawServer a = RawServer.running(redirecting("a", "/next"));
                    RawServer b = besides(a, redirecting("b", "/next"));
                    Orders orders = over(Orders.service("orders", a.url(), "http://127.0.0.2:" + b.port()))) {
                try (Response response = orders.get("http://orders:" + a.port() + "/start")) {
                    assertThat(response.body().string()).isEqualTo("b");
                    assertThat(response.request().url()).hasToString("http://orders:" + a.port() + "/next");
                }
                assertThat(b.requests.get(0).header("Host")).isEqualTo("orders:" + a.port());
                return;
            } catch (BindException e) {
                // Someone else has the port of that number there.
                if (attempt == 10) {
                    throw e;
                }
            }
        }
    }

    @Test
    void aServerThatRefusesIsNamed() {
        String dead = Orders.deadUrl();
        try (Orders orders = over(Orders.service("orders", dead))) {
            assertThatThrownBy(() -> orders.get("http://orders/"))
                    .isInstanceOf(ConnectException.class)
                    .hasMessageStartingWith("server " + dead + " of service 'orders': ");
        }
    }

    @Test
    void theClientsReadTimeoutHoldsOnThem() throws IOException {
        try (RawServer silent = RawServer.running(connection -> {
                    connection.readRequest();
                    connection.readRequest();
                });
                Orders orders = new Orders(
                        builder -> builder.socketFactory(own).readTimeout(Duration.ofMillis(150)),
                        Orders.service("orders", silent.url()))) {
            assertThatThrownBy(() -> orders.get("http://orders/")).isInstanceOf(SocketTimeoutException.class);
        }
    }

    @Test
    void anotherHostIsReachedByThemAsEver() throws IOException {
        try (RawServer a = RawServer.answering("a");
                RawServer b = RawServer.answering("b");
                Orders orders = over(Orders.service("orders", a.url()))) {
            assertThat(orders.text(b.url())).isEqualTo("b");
            assertThat(own.made.get()).isEqualTo(1);
        }
    }
}
