package io.fairlead.okhttp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fairlead.LoadBalancer;
import io.fairlead.Pick;
import io.fairlead.RequestFacts;
import io.fairlead.limit.Limits;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.UnaryOperator;
import okhttp3.Call;
import okhttp3.Request;
import okhttp3.Response;
import org.junit.jupiter.api.Test;

/** Calls that find the servers at their limits. */
class LimitsTest {
    @Test
    void aCallWaitsForItsPlace() throws IOException {
        try (RawServer server = RawServer.answering("done");
                Orders orders = limited(server.url(), Limits.NONE.withQueue(1))) {
            Pick running = orders.balancer.pick(RequestFacts.NONE);
            CompletableFuture<String> waiting = CompletableFuture.supplyAsync(() -> text(call(orders)));
            await().until(() -> orders.balancer.waitingLine().size() == 1);
            running.success();
            assertThat(waiting.join()).isEqualTo("done");
        }
    }

    @Test
    void withoutALineItFailsAtOnceAndSaysWhy() throws IOException {
        try (RawServer server = RawServer.answering("done");
                Orders orders = limited(server.url(), Limits.NONE)) {
            Pick running = orders.balancer.pick(RequestFacts.NONE);
            assertThatThrownBy(() -> call(orders).execute())
                    .isInstanceOf(NoServerException.class)
                    .hasMessageContaining("as many requests under way as it may have");
            running.success();
        }
    }

    @Test
    void aCancelledCallStopsWaiting() throws IOException {
        try (RawServer server = RawServer.answering("done");
                Orders orders = limited(server.url(), Limits.NONE.withQueue(1))) {
            Pick running = orders.balancer.pick(RequestFacts.NONE);
            Call call = call(orders);
            CompletableFuture<String> waiting = CompletableFuture.supplyAsync(() -> text(call));
            await().until(() -> orders.balancer.waitingLine().size() == 1);
            call.cancel();
            assertThatThrownBy(waiting::join)
                    .isInstanceOf(CompletionException.class)
                    .hasRootCauseInstanceOf(java.util.concurrent.CancellationException.class)
                    .hasMessageContaining("Canceled");
            assertThat(orders.balancer.waitingLine().size()).isZero();
            running.success();
        }
    }

    @Test
    void theTimeOfTheWholeCallSpansTheWaiting() throws IOException {
        try (RawServer server = RawServer.answering("done");
                Orders orders = limited(server.url(), Limits.NONE.withQueue(1))) {
            Pick running = orders.balancer.pick(RequestFacts.NONE);
            Call call = call(orders);
            call.timeout().timeout(100, java.util.concurrent.TimeUnit.MILLISECONDS);
            assertThatThrownBy(call::execute).isInstanceOf(InterruptedIOException.class);
            assertThat(orders.balancer.waitingLine().size()).isZero();
            running.success();
        }
    }

    private static Orders limited(String url, Limits limits) {
        LoadBalancer balancer = LoadBalancer.builder("orders")
                .endpoint(url)
                .limits(limits.withMaxInFlightPerServer(1).withQueueTimeout(Duration.ofSeconds(30)))
                .build();
        return new Orders(UnaryOperator.identity(), balancer);
    }

    private static Call call(Orders orders) {
        return orders.client.newCall(new Request.Builder().url("http://orders/").build());
    }

    private static String text(Call call) {
        try (Response response = call.execute()) {
            return response.body().string();
        } catch (IOException e) {
            throw new CompletionException(e);
        }
    }
}
