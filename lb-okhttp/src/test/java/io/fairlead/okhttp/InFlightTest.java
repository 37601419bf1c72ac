package io.fairlead.okhttp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import mockwebserver3.MockResponse;
import okhttp3.Cache;
import okhttp3.Call;
import okhttp3.Callback;
import okhttp3.Request;
import okhttp3.Response;
import okio.Buffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When a request is no longer in flight. That it is so in the end, each test sees when it closes its client. */
class InFlightTest {
    private static final String LARGE = new String(new char[200_000]).replace('\0', 'x');

    private Backend a;

    @BeforeEach
    void start() throws IOException {
        a = Backend.named("a");
    }

    @AfterEach
    void stop() {
        a.close();
    }

    @Test
    void itIsWhileTheBodyIsOpenAndNoLongerWhenItHasBeenRead() throws IOException {
        a.answer =
                request -> new MockResponse.Builder().chunkedBody(LARGE, 1000).build();
        try (Orders orders = Orders.over(a.url())) {
            Response response = orders.get("http://orders/");
            assertThat(orders.inFlight()).isEqualTo(1);
            assertThat(response.body().source().readUtf8(LARGE.length())).isEqualTo(LARGE);
            assertThat(orders.inFlight()).isEqualTo(1);
            assertThat(response.body().source().exhausted()).isTrue();
            assertThat(orders.inFlight()).isZero();
            response.close();
        }
    }

    @Test
    void aBodyOfKnownLengthEndsAtItsLastByte() throws IOException {
        a.answer = request -> Backend.text(LARGE);
        try (Orders orders = Orders.over(a.url())) {
            Response response = orders.get("http://orders/");
            assertThat(response.body().contentLength()).isEqualTo(LARGE.length());
            assertThat(response.body().source().readUtf8(LARGE.length())).isEqualTo(LARGE);
            assertThat(orders.inFlight()).isZero();
            response.close();
        }
    }

    @Test
    void aBodyThatIsClosedHalfReadEnds() throws IOException {
        a.answer = request -> Backend.text(LARGE);
        try (Orders orders = Orders.over(a.url())) {
            Response response = orders.get("http://orders/");
            assertThat(response.body().source().readByte()).isEqualTo((byte) 'x');
            assertThat(orders.inFlight()).isEqualTo(1);
            response.close();
            assertThat(orders.inFlight()).isZero();
            response.close();
            assertThat(orders.inFlight()).isZero();
            assertThat(orders.failures()).isZero();
        }
    }

    @Test
    void aBodyThatBreaksEndsAndCountsAgainstTheServer() throws IOException {
        try (RawServer broken = RawServer.running(connection -> {
                    connection.readRequest();
                    connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf");
                });
                Orders orders = Orders.over(broken.url());
                Response response = orders.get("http://orders/")) {
            assertThatThrownBy(() -> response.body().string()).isInstanceOf(IOException.class);
            assertThat(orders.inFlight()).isZero();
            assertThat(orders.failures()).isEqualTo(1);
        }
    }

    @Test
    void aCallThatIsCancelledWhileNobodyReadsEndsAtOnce() throws IOException {
        a.answer = request -> new MockResponse.Builder()
                .body(LARGE)
                .throttleBody(1000, 1, TimeUnit.SECONDS)
                .build();
        try (Orders orders = Orders.over(a.url())) {
            Call call = orders.client.newCall(
                    new Request.Builder().url("http://orders/").build());
            Response response = call.execute();
            assertThat(orders.inFlight()).isEqualTo(1);
            call.cancel();
            assertThat(orders.inFlight()).isZero();
            response.close();
            assertThat(orders.failures()).isZero();
        }
    }

    @Test
    void answersWithoutABodyEndAtTheirHead() throws IOException {
        a.answer = request -> {
            MockResponse.Builder response = new MockResponse.Builder();
            switch (request.getTarget()) {
                case "/204":
                    return response.code(204).build();
                case "/304":
                    return response.code(304).build();
                case "/empty":
                    return response.body("").build();
                default:
                    return response.setHeader("Content-Length", 100).build();
            }
        };
        try (Orders orders = Orders.over(a.url())) {
            for (String path : new String[] {"/204", "/304", "/empty"}) {
                Response response = orders.get("http://orders" + path);
                assertThat(orders.inFlight()).as(path).isZero();
                response.close();
            }
            Response head = orders.client
                    .newCall(new Request.Builder().url("http://orders/").head().build())
                    .execute();
            assertThat(orders.inFlight()).as("HEAD").isZero();
            assertThat(head.header("Content-Length")).isEqualTo("100");
            head.close();
        }
    }

    @Test
    void aCallbackThatThrowsEndsItsCall() throws Exception {
        try (Orders orders = Orders.over(a.url())) {
            CompletableFuture<Boolean> called = new CompletableFuture<>();
            orders.client
                    .newCall(new Request.Builder().url("http://orders/").build())
                    .enqueue(new Callback() {
                        @Override
                        public void onFailure(Call call, IOException e) {
                            called.completeExceptionally(e);
                        }

                        @Override
                        public void onResponse(Call call, Response response) throws IOException {
                            try (Response closing = response) {
                                called.complete(true);
                                throw new IOException("the application's own trouble with " + closing.code());
                            }
                        }
                    });
            assertThat(called.get(10, TimeUnit.SECONDS)).isTrue();
            await().until(() -> orders.inFlight() == 0);
        }
    }

    @Test
    void anInterceptorThatCrashesEndsItsCall() {
        try (Orders orders = new Orders(
                builder -> builder.addInterceptor(chain -> {
                    throw new IllegalStateException("a bug");
                }),
                Orders.service("orders", a.url()))) {
            assertThatThrownBy(() -> orders.get("http://orders/")).isInstanceOf(IllegalStateException.class);
            assertThat(orders.inFlight()).isZero();
            assertThat(orders.failures()).isZero();
        }
    }

    @Test
    void anAnswerFromTheClientsCacheIsCountedForNoServer(@TempDir Path directory) throws IOException {
        a.answer = request -> new MockResponse.Builder()
                .setHeader("Cache-Control", "max-age=60")
                .body("cached")
                .build();
        File folder = directory.toFile();
        try (Backend b = Backend.named("b");
                Cache cache = new Cache(folder, 1_000_000);
                Orders orders =
                        new Orders(builder -> builder.cache(cache), Orders.service("orders", a.url(), b.url()))) {
            assertThat(orders.text("http://orders/")).isEqualTo("cached");
            assertThat(orders.text("http://orders/")).isEqualTo("cached");
            assertThat(b.requests).isEmpty();
            assertThat(orders.inFlight()).isZero();
            assertThat(cache.hitCount()).isEqualTo(1);
        }
    }

    @Test
    void aCachedAnswerThatTheServerConfirmsIsRead(@TempDir Path directory) throws IOException {
        a.answer = request -> request.getHeaders().get("If-None-Match") == null
                ? new MockResponse.Builder()
                        .setHeader("ETag", "\"1\"")
                        .body("cached")
                        .build()
                : new MockResponse.Builder().code(304).build();
        try (Cache cache = new Cache(directory.toFile(), 1_000_000);
                Orders orders = new Orders(builder -> builder.cache(cache), Orders.service("orders", a.url()))) {
            assertThat(orders.text("http://orders/")).isEqualTo("cached");
            Response response = orders.get("http://orders/");
            assertThat(orders.inFlight()).isZero();
            assertThat(response.body().string()).isEqualTo("cached");
            assertThat(a.requests).hasSize(2);
        }
    }

    @Test
    void compressedBodiesArriveUncompressed() throws IOException {
        Buffer zipped = new Buffer();
        try (okio.BufferedSink sink = okio.Okio.buffer(new okio.GzipSink(zipped))) {
            sink.writeUtf8(LARGE);
        }
        a.answer = request -> new MockResponse.Builder()
                .setHeader("Content-Encoding", "gzip")
                .body(zipped.clone())
                .build();
        try (Orders orders = Orders.over(a.url())) {
            assertThat(orders.text("http://orders/")).isEqualTo(LARGE);
            assertThat(a.requests.get(0).getHeaders().get("Accept-Encoding")).isEqualTo("gzip");
            assertThat(orders.inFlight()).isZero();
        }
    }
}
