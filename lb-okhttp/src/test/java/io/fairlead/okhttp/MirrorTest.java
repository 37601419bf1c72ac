package io.fairlead.okhttp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fairlead.LoadBalancer;
import io.fairlead.Ticker;
import io.fairlead.compose.Mirror;
import io.fairlead.compose.MirrorOptions;
import io.fairlead.compose.MirroringLoadBalancer;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import mockwebserver3.MockResponse;
import mockwebserver3.RecordedRequest;
import okhttp3.Call;
import okhttp3.Callback;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okio.BufferedSink;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Copies of calls go to a mirror, and nothing that becomes of them is felt. */
class MirrorTest {
    private static final MediaType TEXT = MediaType.get("text/plain");

    private Backend main;
    private Backend shadow;
    private LoadBalancer mirrorService;
    private Mirror mirror;

    @BeforeEach
    void start() throws IOException {
        main = Backend.named("main");
        shadow = Backend.named("shadow");
    }

    @AfterEach
    void stop() {
        main.close();
        shadow.close();
        mirrorService.close();
    }

    private Orders orders(MirrorOptions options, String mirrorUrl) {
        return orders(options, mirrorUrl, UnaryOperator.identity());
    }

    private Orders orders(MirrorOptions options, String mirrorUrl, UnaryOperator<OkHttpClient.Builder> more) {
        mirrorService = Orders.service("shadow", mirrorUrl);
        mirror = new Mirror(mirrorService, 100, options);
        LoadBalancer answering = Orders.service("answering", main.url());
        return new Orders(
                more,
                new MirroringLoadBalancer("orders", answering, Collections.singletonList(mirror), Ticker.system()),
                answering);
    }

    private void awaitNoCopyUnderWay() {
        await().until(() -> mirror.inFlight() == 0);
        assertThat(mirrorService.snapshot().endpoints().get(0).inFlight()).isZero();
    }

    @Test
    void aCopyIsTheRequestAndItsAnswerIsThrownAway() throws IOException {
        try (Orders orders = orders(MirrorOptions.DEFAULT, shadow.url() + "/base")) {
            Request request = new Request.Builder()
                    .url("http://orders/a%20b?c=d")
                    .header("X-One", "1")
                    .build();
            try (Response response = orders.client.newCall(request).execute()) {
                assertThat(response.body().string()).isEqualTo("main");
                assertThat(response.request().url().toString()).isEqualTo("http://orders/a%20b?c=d");
            }
            awaitNoCopyUnderWay();
            RecordedRequest sent = main.requests.get(0);
            RecordedRequest copy = shadow.requests.get(0);
            assertThat(copy.getTarget()).isEqualTo("/base/a%20b?c=d");
            assertThat(copy.getHeaders().get("X-One")).isEqualTo("1");
            assertThat(copy.getHeaders().get("Host"))
                    .isEqualTo(sent.getHeaders().get("Host"));
            assertThat(mirror.sent()).isEqualTo(1);
        }
    }

    @Test
    void aBodyThatCanBeWrittenAgainIsCopied() throws IOException {
        try (Orders orders = orders(MirrorOptions.DEFAULT, shadow.url())) {
            orders.post("http://orders/", RequestBody.create("hello", TEXT)).close();
            awaitNoCopyUnderWay();
            assertThat(shadow.requests.get(0).getMethod()).isEqualTo("POST");
            assertThat(shadow.requests.get(0).getBody().utf8()).isEqualTo("hello");
            assertThat(shadow.requests.get(0).getHeaders().get("Content-Type"))
                    .isEqualTo(main.requests.get(0).getHeaders().get("Content-Type"));
        }
    }

    @Test
    void whatTheCallerDoesWithItsArrayAfterTheCallDoesNotReachTheMirror() throws IOException {
        try (Orders orders = orders(MirrorOptions.DEFAULT, shadow.url())) {
            byte[] array = "hello".getBytes(java.nio.charset.StandardCharsets.UTF_8);
            orders.post("http://orders/", RequestBody.create(array, TEXT)).close();
            java.util.Arrays.fill(array, (byte) 'x');
            awaitNoCopyUnderWay();
            assertThat(shadow.requests.get(0).getBody().utf8()).isEqualTo("hello");
        }
    }

    @Test
    void oneShotAndLongBodiesAreNotCopied() throws IOException {
        MirrorOptions options = MirrorOptions.DEFAULT.withMaxBodySize(10_000);
        try (Orders orders = orders(options, shadow.url())) {
            orders.post("http://orders/", body("once", true)).close();
            String text = new String(new char[20_000]).replace('\0', 'x');
            orders.post("http://orders/", RequestBody.create(text, TEXT)).close();
            orders.post("http://orders/", body(text, false)).close();
            awaitNoCopyUnderWay();
            assertThat(main.requests).hasSize(3);
            assertThat(mirror.dropped()).isEqualTo(3);
            assertThat(shadow.requests).isEmpty();

            orders.post("http://orders/", body("short", false)).close();
            awaitNoCopyUnderWay();
            assertThat(shadow.requests.get(0).getBody().utf8()).isEqualTo("short");
        }
    }

    /** A body of unknown length. */
    private static RequestBody body(String text, boolean oneShot) {
        return new RequestBody() {
            @Override
            public MediaType contentType() {
                return TEXT;
            }

            @Override
            public void writeTo(BufferedSink sink) throws IOException {
                sink.writeUtf8(text);
            }

            @Override
            public boolean isOneShot() {
                return oneShot;
            }
        };
    }

    @Test
    void onlyTheHeadIsCopiedWhereBodiesAreNotToBe() throws IOException {
        try (Orders orders = orders(MirrorOptions.DEFAULT.withMirrorBody(false), shadow.url())) {
            orders.post("http://orders/", RequestBody.create("hello", TEXT)).close();
            orders.post("http://orders/", body("once", true)).close();
            awaitNoCopyUnderWay();
            assertThat(shadow.requests)
                    .hasSize(2)
                    .allMatch(copy -> copy.getBody() == null || copy.getBody().size() == 0);
        }
    }

    @Test
    void aMirrorThatRefusesOrFailsOrRedirectsIsNotFelt() throws IOException {
        shadow.answer = request -> request.getTarget().equals("/away")
                ? Backend.redirect("http://orders/elsewhere")
                : new MockResponse.Builder().code(503).build();
        try (Orders orders = orders(MirrorOptions.DEFAULT, shadow.url())) {
            assertThat(orders.text("http://orders/")).isEqualTo("main");
            assertThat(orders.text("http://orders/away")).isEqualTo("main");
            awaitNoCopyUnderWay();
            assertThat(shadow.requests).hasSize(2);
            assertThat(main.requests).hasSize(2);
            assertThat(mirrorService.snapshot().endpoints().get(0).failures()).isEqualTo(1);
        }
        try (Orders orders = orders(MirrorOptions.DEFAULT, Orders.deadUrl())) {
            assertThat(orders.text("http://orders/")).isEqualTo("main");
            awaitNoCopyUnderWay();
            assertThat(mirrorService.snapshot().endpoints().get(0).failures()).isEqualTo(1);
            assertThat(orders.failures()).isZero();
        }
    }

    @Test
    void aMirrorThatHangsIsNotFeltAndLeavesNothingInFlight() throws IOException {
        MirrorOptions options = MirrorOptions.DEFAULT.withMaxInFlight(10).withTimeout(Duration.ofSeconds(1));
        try (RawServer hanging = RawServer.running(connection -> {
                    connection.readRequest();
                    connection.readRequest();
                });
                RawServer quick = RawServer.answering("main")) {
            mirrorService = Orders.service("shadow", hanging.url());
            mirror = new Mirror(mirrorService, 100, options);
            LoadBalancer answering = Orders.service("answering", quick.url());
            Orders orders = new Orders(
                    UnaryOperator.identity(),
                    new MirroringLoadBalancer("orders", answering, Collections.singletonList(mirror), Ticker.system()),
                    answering);
            for (int i = 0; i < 1000; i++) {
                assertThat(orders.text("http://orders/" + i)).isEqualTo("main");
            }
            awaitNoCopyUnderWay();
            assertThat(mirror.sent() + mirror.dropped()).isEqualTo(1000);
            assertThat(mirror.dropped()).isGreaterThan(500);
            assertThat(mirrorService.snapshot().endpoints().get(0).failures()).isEqualTo(mirror.sent());
            orders.close();
        }
    }

    @Test
    void aCallThatIsCancelledIsNotCopied() throws Exception {
        main.answer = request ->
                new MockResponse.Builder().headersDelay(20, TimeUnit.SECONDS).build();
        try (Orders orders = orders(MirrorOptions.DEFAULT, shadow.url())) {
            Call call = orders.client.newCall(
                    new Request.Builder().url("http://orders/").build());
            java.util.concurrent.CompletableFuture<IOException> failed = new java.util.concurrent.CompletableFuture<>();
            call.enqueue(new Callback() {
                @Override
                public void onFailure(Call failing, IOException e) {
                    failed.complete(e);
                }

                @Override
                public void onResponse(Call answered, Response response) {
                    response.close();
                }
            });
            await().until(() -> !main.requests.isEmpty());
            call.cancel();
            assertThat(failed.get(10, TimeUnit.SECONDS)).isNotNull();
            awaitNoCopyUnderWay();
            assertThat(mirror.dropped()).isEqualTo(1);
            assertThat(shadow.requests).isEmpty();
        }
    }

    @Test
    void aRequestThatFailsIsCopiedOnce() throws IOException {
        mirrorService = Orders.service("shadow", shadow.url());
        mirror = new Mirror(mirrorService, 100, MirrorOptions.DEFAULT);
        LoadBalancer answering = Orders.service("answering", Orders.deadUrl(), Orders.deadUrl());
        try (Orders orders = new Orders(
                UnaryOperator.identity(),
                new MirroringLoadBalancer("orders", answering, Collections.singletonList(mirror), Ticker.system()),
                answering)) {
            assertThatThrownBy(() -> orders.text("http://orders/")).isInstanceOf(IOException.class);
            awaitNoCopyUnderWay();
            assertThat(shadow.requests).hasSize(1);
        }
    }

    @Test
    void copiesTakeTheSettingsOfTheClientThatIsGivenForThem() throws IOException {
        mirrorService = Orders.service("shadow", shadow.url());
        mirror = new Mirror(mirrorService, 100, MirrorOptions.DEFAULT);
        LoadBalancer answering = Orders.service("answering", main.url());
        CountingSocketFactory sockets = new CountingSocketFactory();
        OkHttpClient settings = new OkHttpClient.Builder()
                .socketFactory(sockets)
                .addInterceptor(chain -> {
                    throw new IOException("the copies have no interceptors");
                })
                .build();
        try (io.fairlead.LoadBalancers balancers = io.fairlead.LoadBalancers.of(
                new MirroringLoadBalancer("orders", answering, Collections.singletonList(mirror), Ticker.system()),
                answering)) {
            OkHttpClient client = new OkHttpClient.Builder()
                    .retryOnConnectionFailure(false)
                    .addInterceptor(LoadBalancingInterceptor.of(balancers).mirroringBy(settings))
                    .build();
            client.newCall(new Request.Builder().url("http://orders/").build())
                    .execute()
                    .close();
            awaitNoCopyUnderWay();
            assertThat(shadow.requests).hasSize(1);
            assertThat(sockets.made.get()).isPositive();
        }
    }
}
