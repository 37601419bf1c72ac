package io.fairlead.okhttp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.LoadBalancer;
import io.fairlead.LoadBalancers;
import io.fairlead.ServiceSettings;
import io.fairlead.retry.RetryPolicy;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import okhttp3.Call;
import okhttp3.EventListener;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.junit.jupiter.api.Test;

/** What the rest of OkHttp notices: listeners, interceptors, time limits. */
class TransparencyTest {
    @Test
    void theUsersListenerSeesTheLogicalCallOnce() throws IOException {
        List<String> events = new CopyOnWriteArrayList<>();
        EventListener listener = new EventListener() {
            @Override
            public void callStart(Call call) {
                events.add("start " + call.request().url());
            }

            @Override
            public void dnsStart(Call call, String domainName) {
                events.add("dns " + domainName);
            }

            @Override
            public void connectStart(Call call, InetSocketAddress address, Proxy proxy) {
                events.add("connect " + address.getHostString());
            }

            @Override
            public void requestHeadersEnd(Call call, Request request) {
                events.add("request " + request.url());
            }

            @Override
            public void callEnd(Call call) {
                events.add("end");
            }

            @Override
            public void callFailed(Call call, IOException e) {
                events.add("failed");
            }
        };
        try (RawServer a = RawServer.answering("a");
                Orders orders =
                        new Orders(builder -> builder.eventListener(listener), Orders.service("orders", a.url()))) {
            orders.text("http://orders/x");
            assertThat(events)
                    .containsExactly(
                            "start http://orders/x", "dns orders", "connect orders", "request http://orders/x", "end");
        }
    }

    @Test
    void anInterceptorBeforeOursMayCallTwice() throws IOException {
        try (RawServer a = RawServer.answering("a");
                RawServer b = RawServer.answering("b")) {
            LoadBalancer service = Orders.service("orders", a.url(), b.url());
            try (Orders orders = new Orders(
                    builder -> {
                        builder.interceptors().add(0, chain -> {
                            chain.proceed(chain.request()).close();
                            return chain.proceed(chain.request());
                        });
                        return builder;
                    },
                    service)) {
                assertThat(orders.text("http://orders/")).isEqualTo("b");
                assertThat(a.requests).hasSize(1);
                assertThat(b.requests).hasSize(1);
                assertThat(orders.inFlight()).isZero();
            }
        }
    }

    @Test
    void amongTheNetworkInterceptorsItSaysWhereItBelongs() throws IOException {
        try (RawServer a = RawServer.answering("a");
                LoadBalancers balancers = LoadBalancers.of(Orders.service("127.0.0.1", a.url()))) {
            OkHttpClient client = new OkHttpClient.Builder()
                    .addNetworkInterceptor(LoadBalancingInterceptor.of(balancers))
                    .build();
            Request request = new Request.Builder().url(a.url()).build();
            assertThatThrownBy(() -> client.newCall(request).execute())
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("use addInterceptor");
        }
    }

    @Test
    void aStricterTimeLimitOfTheServiceHolds() throws IOException {
        Duration strict = Duration.ofMillis(150);
        try (RawServer silent = RawServer.running(connection -> {
            connection.readRequest();
            connection.readRequest();
        })) {
            LoadBalancer service = LoadBalancer.builder("orders")
                    .endpoint(silent.url())
                    .settings(ServiceSettings.DEFAULT.withTimeouts(strict, strict, Duration.ZERO))
                    .build();
            try (Orders orders = new Orders(builder -> builder.readTimeout(Duration.ofMinutes(5)), service)) {
                assertThatThrownBy(() -> orders.get("http://orders/")).isInstanceOf(SocketTimeoutException.class);
            }
        }
    }

    @Test
    void timeLimitsOfTheServiceAreNeverLooserThanTheClients() throws IOException {
        int[] limits = new int[2];
        CountingSocketFactory sockets = new CountingSocketFactory();
        try (RawServer a = RawServer.answering("a")) {
            LoadBalancer service = LoadBalancer.builder("orders")
                    .endpoint(a.url())
                    .settings(ServiceSettings.DEFAULT.withTimeouts(
                            Duration.ofSeconds(50), Duration.ofSeconds(50), Duration.ZERO))
                    .build();
            try (Orders orders = new Orders(
                    builder -> builder.socketFactory(sockets)
                            .connectTimeout(Duration.ofSeconds(2))
                            .readTimeout(Duration.ofSeconds(3))
                            .addInterceptor(chain -> {
                                limits[1] = chain.readTimeoutMillis();
                                return chain.proceed(chain.request());
                            }),
                    service)) {
                orders.text("http://orders/");
                assertThat(sockets.connectMillis).isEqualTo(2000);
                assertThat(limits[1]).isEqualTo(3000);
            }
        }
    }

    /** The connect and read limits, in milliseconds, of a call under both. */
    private static int[] limits(ServiceSettings ofService, UnaryOperator<OkHttpClient.Builder> ofClient)
            throws IOException {
        int[] limits = new int[2];
        CountingSocketFactory sockets = new CountingSocketFactory();
        try (RawServer a = RawServer.answering("a")) {
            LoadBalancer service = LoadBalancer.builder("orders")
                    .endpoint(a.url())
                    .settings(ofService)
                    .build();
            try (Orders orders = new Orders(
                    builder -> ofClient.apply(builder.socketFactory(sockets)).addInterceptor(chain -> {
                        limits[1] = chain.readTimeoutMillis();
                        return chain.proceed(chain.request());
                    }),
                    service)) {
                orders.text("http://orders/");
            }
        }
        limits[0] = sockets.connectMillis;
        return limits;
    }

    @Test
    void connectingTakesNoLongerThanTheServiceSaysBeItTheDefault() throws IOException {
        assertThat(limits(ServiceSettings.DEFAULT, client -> client)[0]).isEqualTo(5000);
        assertThat(limits(ServiceSettings.DEFAULT, client -> client.connectTimeout(Duration.ZERO))[0])
                .isEqualTo(5000);
        assertThat(limits(ServiceSettings.DEFAULT, client -> client.connectTimeout(Duration.ofSeconds(3)))[0])
                .isEqualTo(3000);
    }

    @Test
    void whereTheServiceSetsNoLimitToConnectingTheClientsHolds() throws IOException {
        ServiceSettings unlimited = ServiceSettings.DEFAULT.withTimeouts(Duration.ZERO, Duration.ZERO, Duration.ZERO);
        assertThat(limits(unlimited, client -> client.connectTimeout(Duration.ofSeconds(7)))[0])
                .isEqualTo(7000);
        assertThat(limits(unlimited, client -> client.connectTimeout(Duration.ZERO))[0])
                .isZero();
    }

    @Test
    void aClientThatAllowsLongPausesKeepsThemUnderTheDefaultLimitOfTheHead() throws IOException {
        assertThat(limits(ServiceSettings.DEFAULT, client -> client.readTimeout(Duration.ofMinutes(5)))[1])
                .isEqualTo(300_000);
    }

    @Test
    void aPauseInAnAnswerMayBeLongerThanTheTimeForItsHead() throws Exception {
        CountDownLatch paused = new CountDownLatch(1);
        try (RawServer pausing = RawServer.running(connection -> {
            connection.readRequest();
            connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + "9\r\ndata: 1\n\n\r\n");
            HedgingTest.awaitQuietly(paused);
            connection.send("9\r\ndata: 2\n\n\r\n0\r\n\r\n");
        })) {
            Duration limit = Duration.ofMillis(100);
            LoadBalancer service = LoadBalancer.builder("orders")
                    .endpoint(pausing.url())
                    .settings(ServiceSettings.DEFAULT.withTimeouts(limit, limit, Duration.ZERO))
                    .retry(RetryPolicy.builder().perTryTimeout(limit).build())
                    .build();
            Request request = new Request.Builder()
                    .url("http://orders/events")
                    .header("Accept", "text/event-stream")
                    .build();
            try (Orders orders = new Orders(UnaryOperator.identity(), service);
                    Response response = orders.client.newCall(request).execute()) {
                ScheduledExecutorService later = Executors.newSingleThreadScheduledExecutor();
                try {
                    Future<?> going = later.schedule(paused::countDown, 300, TimeUnit.MILLISECONDS);
                    assertThat(response.body().string()).isEqualTo("data: 1\n\ndata: 2\n\n");
                    going.get();
                } finally {
                    later.shutdown();
                }
                assertThat(orders.failures()).isZero();
            }
        }
    }

    @Test
    void thePausesThatTheClientAllowsAreStillLimited() throws IOException {
        try (RawServer pausing = RawServer.running(connection -> {
            connection.readRequest();
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nbegin");
            connection.readRequest();
        })) {
            LoadBalancer service = LoadBalancer.builder("orders")
                    .endpoint(pausing.url())
                    .retry(RetryPolicy.builder()
                            .perTryTimeout(Duration.ofMillis(100))
                            .build())
                    .build();
            try (Orders orders = new Orders(builder -> builder.readTimeout(Duration.ofMillis(200)), service);
                    Response response = orders.get("http://orders/")) {
                assertThatThrownBy(() -> response.body().string()).isInstanceOf(SocketTimeoutException.class);
            }
        }
    }
}
