package io.fairlead.okhttp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fairlead.LoadBalancer;
import io.fairlead.LoadBalancerBuilder;
import io.fairlead.retry.Backoff;
import io.fairlead.retry.RetryPolicy;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import okhttp3.Call;
import okhttp3.MediaType;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okio.BufferedSink;
import org.junit.jupiter.api.Test;

/** What a service's own rules of retrying change. */
class RetryPolicyTest {
    private static RawServer failing(int status, String... fields) throws IOException {
        return RawServer.running(connection -> {
            while (connection.readRequest() != null) {
                connection.answer(status, "failing", fields);
            }
        });
    }

    private static RawServer silent() throws IOException {
        return RawServer.running(connection -> {
            connection.readRequest();
            connection.readRequest();
        });
    }

    private static Orders over(UnaryOperator<RetryPolicy.Builder> policy, RawServer... servers) {
        LoadBalancerBuilder builder = LoadBalancer.builder("orders")
                .strategy("round-robin")
                .retry(policy.apply(RetryPolicy.builder()).build());
        for (RawServer server : servers) {
            builder.endpoint(server.url());
        }
        return new Orders(UnaryOperator.identity(), builder.build());
    }

    private static RetryPolicy.Builder on503(RetryPolicy.Builder policy) {
        return policy.statuses(Collections.singleton(503));
    }

    @Test
    void anAnswerOfAStatusThatIsTriedAgainIsThrownAwayAndItsConnectionUsedAgain() throws IOException {
        try (RawServer failing = failing(503);
                RawServer alive = RawServer.answering("alive");
                Orders orders = over(RetryPolicyTest::on503, failing, alive)) {
            for (int i = 0; i < 6; i++) {
                assertThat(orders.text("http://orders/")).isEqualTo("alive");
            }
            assertThat(failing.requests).hasSizeGreaterThan(1);
            assertThat(failing.connections()).isEqualTo(1);
            assertThat(orders.failures()).isEqualTo(failing.requests.size());
        }
    }

    @Test
    void theLastAnswerIsPassedOnWhole() throws IOException {
        try (RawServer one = failing(503);
                RawServer two = failing(503, "X-Server: two");
                Orders orders = over(RetryPolicyTest::on503, one, two);
                Response response = orders.get("http://orders/")) {
            assertThat(response.code()).isEqualTo(503);
            assertThat(response.header("X-Server")).isEqualTo("two");
            assertThat(response.body().string()).isEqualTo("failing");
            assertThat(one.requests).hasSize(1);
            assertThat(two.requests).hasSize(1);
        }
    }

    @Test
    void aPostIsNotSentAgainForItsStatus() throws IOException {
        try (RawServer failing = failing(503);
                RawServer alive = RawServer.answering("alive");
                Orders orders = over(RetryPolicyTest::on503, failing, alive);
                Response response =
                        orders.post("http://orders/", RequestBody.create("body", MediaType.get("text/plain")))) {
            assertThat(response.code()).isEqualTo(503);
            assertThat(alive.requests).isEmpty();
        }
    }

    @Test
    void aBodyThatCanBeSentOnceIsNotSentAgainForAStatus() throws IOException {
        RequestBody once = new RequestBody() {
            @Override
            public MediaType contentType() {
                return MediaType.get("text/plain");
            }

            @Override
            public boolean isOneShot() {
                return true;
            }

            @Override
            public void writeTo(BufferedSink sink) throws IOException {
                sink.writeUtf8("once");
            }

            @Override
            public long contentLength() {
                return 4;
            }
        };
        try (RawServer failing = failing(503);
                RawServer alive = RawServer.answering("alive");
                Orders orders = over(RetryPolicyTest::on503, failing, alive)) {
            Request put = new Request.Builder().url("http://orders/").put(once).build();
            try (Response response = orders.client.newCall(put).execute()) {
                assertThat(response.code()).isEqualTo(503);
            }
            assertThat(alive.requests).isEmpty();
        }
    }

    @Test
    void aSingleServerIsAskedAgainAfterAWait() throws IOException {
        try (RawServer recovering = RawServer.running(connection -> {
                    while (connection.readRequest() != null) {
                        connection.answer(connection.requestsSoFar() < 3 ? 503 : 200, "done");
                    }
                });
                Orders orders = over(
                        policy -> policy.statuses(Collections.singleton(503))
                                .backoff(Backoff.of(Duration.ofMillis(50), Duration.ofMillis(50), 0, false)),
                        recovering)) {
            long start = System.nanoTime();
            try (Response response = orders.get("http://orders/")) {
                assertThat(response.code()).isEqualTo(200);
            }
            assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(100_000_000);
            assertThat(recovering.requests).hasSize(3);
        }
    }

    @Test
    void retryAfterIsWaitedFor() throws IOException {
        try (RawServer failing = failing(503, "Retry-After: 1");
                RawServer alive = RawServer.answering("alive");
                Orders orders = over(
                        policy -> policy.statuses(Arrays.asList(502, 503)).maxRetryAfter(Duration.ofMillis(300)),
                        failing,
                        alive)) {
            long start = System.nanoTime();
            assertThat(orders.text("http://orders/")).isEqualTo("alive");
            assertThat(System.nanoTime() - start).isBetween(300_000_000L, 900_000_000L);
        }
    }

    @Test
    void aTryThatTakesTooLongGoesToTheNextServer() throws IOException {
        try (RawServer silent = silent();
                RawServer alive = RawServer.answering("alive");
                Orders orders = over(policy -> policy.perTryTimeout(Duration.ofMillis(600)), silent, alive)) {
            assertThat(orders.text("http://orders/")).isEqualTo("alive");
            assertThat(orders.failures()).isEqualTo(1);
        }
    }

    @Test
    void allTriesTogetherTakeNoLongerThanTheirLimit() throws IOException {
        try (RawServer one = silent();
                RawServer two = silent();
                RawServer three = silent();
                Orders orders = over(
                        policy -> policy.perTryTimeout(Duration.ofMillis(300)).timeout(Duration.ofMillis(450)),
                        one,
                        two,
                        three)) {
            long start = System.nanoTime();
            assertThatThrownBy(() -> orders.get("http://orders/")).isInstanceOf(SocketTimeoutException.class);
            assertThat(System.nanoTime() - start).isLessThan(1_500_000_000L);
            assertThat(three.requests).isEmpty();
        }
    }

    @Test
    void aCallThatIsCancelledWhileItWaitsEndsAtOnce() throws Exception {
        CountDownLatch answered = new CountDownLatch(1);
        try (RawServer failing = RawServer.running(connection -> {
                    connection.readRequest();
                    connection.answer(503, "failing", "Retry-After: 60");
                    answered.countDown();
                });
                RawServer alive = RawServer.answering("alive");
                Orders orders = over(
                        policy -> policy.statuses(Collections.singleton(503)).maxRetryAfter(Duration.ofSeconds(60)),
                        failing,
                        alive)) {
            Call call = orders.client.newCall(
                    new Request.Builder().url("http://orders/").build());
            Thread canceller = new Thread(() -> {
                try {
                    answered.await();
                    // The answer has been taken, so the call waits, or is about to.
                    await().until(() -> orders.failures() == 1);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                call.cancel();
            });
            canceller.start();
            long start = System.nanoTime();
            assertThatThrownBy(call::execute).isInstanceOf(IOException.class).hasMessage("Canceled");
            assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(20));
            canceller.join();
            assertThat(alive.requests).isEmpty();
            assertThat(orders.inFlight()).isZero();
        }
    }

    @Test
    void aPutOnAKeptAliveConnectionThatBreaksIsSentOnceMoreToTheOnlyServer() throws IOException {
        try (RawServer closing = RawServer.running(connection -> {
                    connection.readRequest();
                    connection.answer(200, "connection " + connection.number);
                    // Reads the next one and hangs up, which nobody can tell from a close that crossed it.
                    connection.readRequest();
                });
                Orders orders = Orders.over(closing.url())) {
            Request put = new Request.Builder()
                    .url("http://orders/")
                    .put(RequestBody.create("body", MediaType.get("text/plain")))
                    .build();
            orders.text("http://orders/");
            try (Response response = orders.client.newCall(put).execute()) {
                assertThat(response.body().string()).isEqualTo("connection 2");
            }
            assertThatThrownBy(() -> orders.post("http://orders/", RequestBody.create("", null)))
                    .as("never a POST")
                    .isInstanceOf(IOException.class);
        }
    }
}
