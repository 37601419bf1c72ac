package io.fairlead.okhttp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fairlead.LoadBalancer;
import io.fairlead.LoadBalancerBuilder;
import io.fairlead.retry.HedgePolicy;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import okhttp3.Call;
import okhttp3.Callback;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Copies of slow calls. */
@Isolated("looks at all threads of copies")
class HedgingTest {
    private static final HedgePolicy POLICY = HedgePolicy.builder()
            .minDelay(Duration.ofMillis(100))
            .budgetPercent(100)
            .build();

    private final AtomicBoolean slow = new AtomicBoolean();
    private final CountDownLatch over = new CountDownLatch(1);

    /** Answers at once, until it is to be slow: then not before the test is over. */
    private RawServer sometimesSlow(String text) throws IOException {
        return RawServer.running(connection -> {
            while (connection.readRequest() != null) {
                if (slow.get()) {
                    awaitQuietly(over);
                }
                connection.answer(200, text);
            }
        });
    }

    private static Orders over(UnaryOperator<OkHttpClient.Builder> more, RawServer... servers) {
        return over(POLICY, more, servers);
    }

    private static Orders over(HedgePolicy policy, UnaryOperator<OkHttpClient.Builder> more, RawServer... servers) {
        LoadBalancerBuilder builder =
                LoadBalancer.builder("orders").strategy("round-robin").hedge(policy);
        for (RawServer server : servers) {
            builder.endpoint(server.url());
        }
        return new Orders(more, builder.build());
    }

    /** Makes the service's latency known, and the next call go to the first server again. */
    private static void learn(Orders orders) throws IOException {
        for (int i = 0; i < 30; i++) {
            orders.text("http://orders/");
        }
    }

    @Test
    void aSlowCallIsAnsweredByACopy() throws IOException {
        try (RawServer one = sometimesSlow("slow");
                RawServer two = RawServer.answering("quick");
                Orders orders = over(UnaryOperator.identity(), one, two)) {
            learn(orders);
            slow.set(true);
            int before = one.requests.size();
            for (int i = 0; i < 4; i++) {
                try (Response response = orders.get("http://orders/items?x=1")) {
                    assertThat(response.body().string()).isEqualTo("quick");
                    assertThat(response.request().url().toString()).isEqualTo("http://orders/items?x=1");
                }
            }
            assertThat(one.requests.size() - before).isPositive();
            await().untilAsserted(() -> assertThat(orders.inFlight()).isZero());
            assertThat(orders.failures()).as("a loser has not failed").isZero();
            over.countDown();
        }
    }

    @Test
    void anAsynchronousCallIsAnsweredByACopyThoughAllThreadsOfItsHostAreTaken() throws Exception {
        try (RawServer one = sometimesSlow("slow");
                RawServer two = RawServer.answering("quick");
                Orders orders = over(UnaryOperator.identity(), one, two)) {
            learn(orders);
            slow.set(true);
            // As many as the dispatcher lets run for one host.
            CompletableFuture<?>[] answers = new CompletableFuture<?>[5];
            for (int i = 0; i < answers.length; i++) {
                CompletableFuture<String> answer = new CompletableFuture<>();
                orders.client
                        .newCall(new Request.Builder().url("http://orders/").build())
                        .enqueue(new Callback() {
                            @Override
                            public void onFailure(Call call, IOException e) {
                                answer.completeExceptionally(e);
                            }

                            @Override
                            public void onResponse(Call call, Response response) throws IOException {
                                answer.complete(response.body().string());
                            }
                        });
                answers[i] = answer;
            }
            for (CompletableFuture<?> answer : answers) {
                assertThat(answer.get(20, TimeUnit.SECONDS)).isEqualTo("quick");
            }
            over.countDown();
        }
    }

    @Test
    void aCallThatIsCancelledCancelsItsCopies() throws Exception {
        CountDownLatch arrived = new CountDownLatch(2);
        RawServer.Script waiting = connection -> {
            while (connection.readRequest() != null) {
                if (slow.get()) {
                    arrived.countDown();
                    // Until the client hangs up.
                    connection.readRequest();
                    return;
                }
                connection.answer(200, "quick");
            }
        };
        try (RawServer one = RawServer.running(waiting);
                RawServer two = RawServer.running(waiting);
                Orders orders = over(UnaryOperator.identity(), one, two)) {
            learn(orders);
            slow.set(true);
            Call call = orders.client.newCall(
                    new Request.Builder().url("http://orders/").build());
            Thread canceller = new Thread(() -> {
                awaitQuietly(arrived);
                call.cancel();
            });
            canceller.start();
            assertThatThrownBy(call::execute).isInstanceOf(IOException.class).hasMessage("Canceled");
            canceller.join();
            assertThat(orders.failures()).isZero();
            await().untilAsserted(() -> assertThat(orders.inFlight()).isZero());
        }
    }

    @Test
    void theCallIsCancelledWhileTheBodyOfItsCopyIsRead() throws Exception {
        try (RawServer one = sometimesSlow("slow");
                RawServer two = RawServer.running(connection -> {
                    while (connection.readRequest() != null) {
                        if (slow.get()) {
                            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nbegin");
                            awaitQuietly(over);
                        }
                        connection.answer(200, "quick");
                    }
                });
                Orders orders = over(UnaryOperator.identity(), one, two)) {
            learn(orders);
            slow.set(true);
            Call call = orders.client.newCall(
                    new Request.Builder().url("http://orders/").build());
            try (Response response = call.execute()) {
                assertThat(response.body().source().readUtf8(5)).isEqualTo("begin");
                call.cancel();
                assertThatThrownBy(() -> response.body().string()).isInstanceOf(IOException.class);
            }
            over.countDown();
        }
    }

    @Test
    void whereBothFailTheCallGoesOn() throws IOException {
        AtomicInteger broken = new AtomicInteger();
        RawServer.Script breaking = connection -> {
            while (connection.readRequest() != null) {
                if (slow.get()) {
                    broken.incrementAndGet();
                    return;
                }
                connection.answer(200, "quick");
            }
        };
        try (RawServer one = RawServer.running(breaking);
                RawServer two = RawServer.running(breaking);
                RawServer three = RawServer.answering("three");
                Orders orders = over(UnaryOperator.identity(), one, two, three)) {
            learn(orders);
            slow.set(true);
            assertThat(orders.text("http://orders/")).isEqualTo("three");
            assertThat(orders.text("http://orders/")).isEqualTo("three");
            assertThat(broken.get()).isPositive();
        }
    }

    @Test
    void redirectsAndStatusesAreThoseOfThePlainCall() throws IOException {
        RawServer.Script script = connection -> {
            for (RawServer.Request request = connection.readRequest();
                    request != null;
                    request = connection.readRequest()) {
                if (request.line.contains("/moved")) {
                    connection.answer(302, "", "Location: http://orders/there");
                } else {
                    connection.answer(404, request.line);
                }
            }
        };
        try (RawServer one = RawServer.running(script);
                RawServer two = RawServer.running(script);
                Orders orders = over(UnaryOperator.identity(), one, two)) {
            learn(orders);
            try (Response response = orders.get("http://orders/moved")) {
                assertThat(response.code()).isEqualTo(404);
                assertThat(response.body().string()).startsWith("GET /there ");
                assertThat(response.request().url().encodedPath()).isEqualTo("/there");
                assertThat(response.priorResponse().code()).isEqualTo(302);
            }
        }
    }

    @Test
    void interceptorsBeforeOursSeeEachCopyAndTheRequestThatTheyMadeIsSent() throws IOException {
        AtomicInteger seen = new AtomicInteger();
        try (RawServer one = RawServer.answering("one");
                RawServer two = RawServer.answering("two");
                Orders orders = over(
                        HedgePolicy.builder().minDelay(Duration.ofMinutes(1)).build(),
                        builder -> {
                            builder.interceptors().add(0, chain -> {
                                seen.incrementAndGet();
                                return chain.proceed(chain.request()
                                        .newBuilder()
                                        .header("Authorization", "secret")
                                        .build());
                            });
                            return builder;
                        },
                        one,
                        two)) {
            learn(orders);
            seen.set(0);
            orders.text("http://orders/");
            assertThat(seen.get()).as("the call and its only copy").isEqualTo(2);
            assertThat(one.requests)
                    .allSatisfy(request ->
                            assertThat(request.header("Authorization")).isEqualTo("secret"));
        }
    }

    @Test
    void anAnswerThatComesWhileTheCallIsCancelledIsClosed() throws IOException {
        AtomicReference<Runnable> whenAnswered = new AtomicReference<>(() -> {});
        RawServer.Script answering = connection -> {
            while (connection.readRequest() != null) {
                connection.answer(200, "answer");
                whenAnswered.get().run();
            }
        };
        try (RawServer one = RawServer.running(answering);
                RawServer two = RawServer.running(answering);
                Orders orders = over(
                        HedgePolicy.builder().minDelay(Duration.ofMinutes(1)).build(),
                        UnaryOperator.identity(),
                        one,
                        two)) {
            learn(orders);
            Request request = new Request.Builder().url("http://orders/").build();
            int cancelled = 0;
            for (int i = 0; i < 200; i++) {
                Call call = orders.client.newCall(request);
                whenAnswered.set(call::cancel);
                try (Response response = call.execute()) {
                    response.body().source().request(1);
                } catch (IOException e) {
                    cancelled++;
                }
            }
            whenAnswered.set(() -> {});
            assertThat(cancelled).isPositive();
            // Where one is not, its connection stays in use, which is seen when the client is closed.
        }
    }

    @Test
    void aCopyIsNotCopiedAgainThoughAnInterceptorBeforeOursGoesToAThreadOfItsOwn() throws IOException {
        AtomicInteger seen = new AtomicInteger();
        ExecutorService threads = Executors.newCachedThreadPool();
        try (RawServer one = sometimesSlow("slow");
                RawServer two = RawServer.answering("quick");
                Orders orders = over(
                        builder -> {
                            builder.interceptors().add(0, chain -> {
                                seen.incrementAndGet();
                                try {
                                    return threads.submit(() -> chain.proceed(chain.request()))
                                            .get();
                                } catch (ExecutionException | InterruptedException e) {
                                    throw new IOException(e);
                                }
                            });
                            return builder;
                        },
                        one,
                        two)) {
            learn(orders);
            slow.set(true);
            for (int i = 0; i < 2; i++) {
                seen.set(0);
                assertThat(orders.text("http://orders/")).isEqualTo("quick");
                assertThat(seen.get()).as("the call and its copies").isLessThanOrEqualTo(3);
            }
            over.countDown();
        } finally {
            threads.shutdown();
        }
    }

    @Test
    void anInterceptorThatWasAddedTwiceCopiesOnce() throws IOException {
        try (RawServer one = sometimesSlow("slow");
                RawServer two = RawServer.answering("quick");
                Orders orders = over(UnaryOperator.identity(), one, two)) {
            learn(orders);
            slow.set(true);
            OkHttpClient twice = orders.client
                    .newBuilder()
                    .addInterceptor(orders.interceptor)
                    .build();
            long before = orders.picks();
            Request request = new Request.Builder().url("http://orders/").build();
            for (int i = 0; i < 2; i++) {
                try (Response response = twice.newCall(request).execute()) {
                    assertThat(response.body().string()).isEqualTo("quick");
                }
            }
            assertThat(orders.picks() - before)
                    .as("two calls, one of them slow")
                    .isLessThanOrEqualTo(4);
            over.countDown();
        }
    }

    static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aStrategyThatFailsAtACopyIsAnIOExceptionAndLeavesNothingInFlight() throws IOException {
        AtomicInteger left = new AtomicInteger(Integer.MAX_VALUE);
        try (RawServer one = sometimesSlow("slow")) {
            LoadBalancer service = LoadBalancer.builder("orders")
                    .endpoint(one.url())
                    .endpoint(Orders.deadUrl())
                    .strategy(new OwnStrategy((request, candidates) -> {
                        if (left.getAndDecrement() <= 0) {
                            throw new IllegalStateException("no luck today");
                        }
                        return candidates.get(0);
                    }))
                    .hedge(POLICY)
                    .build();
            try (Orders orders = new Orders(UnaryOperator.identity(), service)) {
                learn(orders);
                slow.set(true);
                left.set(1);
                assertThatThrownBy(() -> orders.get("http://orders/"))
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("'orders'")
                        .hasRootCauseMessage("no luck today");
                over.countDown();
            }
        }
    }

    @Test
    void whoeverMadeTheCallLearnsWhichServerAnsweredIt() throws IOException {
        try (RawServer one = sometimesSlow("slow");
                RawServer two = RawServer.answering("quick");
                Orders orders = over(UnaryOperator.identity(), one, two)) {
            learn(orders);
            Call call = orders.client.newCall(
                    new Request.Builder().url("http://orders/").build());
            slow.set(true);
            try (Response response = call.execute()) {
                assertThat(response.body().string()).isEqualTo("quick");
                assertThat(EndpointTag.of(call).uri()).hasToString(two.url());
            }
            over.countDown();
        }
    }

    @Test
    void theThreadsOfCopiesEndWithTheLoadBalancersAndLaterCallsEndWell() throws Exception {
        Orders orders;
        try (RawServer one = sometimesSlow("slow");
                RawServer two = RawServer.answering("quick")) {
            orders = over(UnaryOperator.identity(), one, two);
            try {
                learn(orders);
                slow.set(true);
                orders.text("http://orders/");
                orders.text("http://orders/");
                over.countDown();
                slow.set(false);
                assertThat(hedgeThreads()).isPositive();
            } finally {
                orders.close();
            }
            await().until(() -> hedgeThreads() == 0);
            orders.client
                    .newCall(new Request.Builder().url("http://orders/").build())
                    .execute()
                    .close();
            assertThat(hedgeThreads()).isZero();
            orders.client.connectionPool().evictAll();
        }
    }

    private static long hedgeThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("fairlead-hedge"))
                .count();
    }
}
