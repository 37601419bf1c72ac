package io.fairlead.agent.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fairlead.NoEndpointException;
import io.fairlead.RequestFacts;
import io.fairlead.agent.Service;
import io.fairlead.agent.TestServices;
import io.fairlead.observe.EndpointSnapshot;
import java.io.IOException;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.URL;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** How the tries of a request begin and end, against a real load balancer. */
final class ExchangeTest {
    private final Service service = TestServices.orders("http://a:1", "http://b:1");
    private final HttpURLConnection connection = connection();

    @Test
    void anAnsweredRequestEndsWithItsBodyAndOnce() {
        Exchange exchange = begin();
        assertThat(inFlight("a:1")).isEqualTo(1);

        exchange.connecting();
        exchange.bodyEnded();
        assertThat(inFlight("a:1")).as("no head has arrived yet").isEqualTo(1);
        exchange.responded(200);
        exchange.bodyEnded();
        exchange.bodyEnded();
        exchange.failed(new IOException("late"));

        assertThat(inFlight("a:1")).isZero();
        assertThat(of("a:1").failures()).isZero();
    }

    @Test
    void aStatusThatCountsAgainstTheServerDoes() {
        Exchange exchange = begin();
        exchange.responded(503);
        exchange.bodyEnded();

        assertThat(of("a:1").failures()).isEqualTo(1);
    }

    @Test
    void aRequestThatFindsTheServersFullWaitsOrIsRefused() throws Exception {
        Service limited = TestServices.ordersWith(
                "limits: {maxInFlight: 1, queue: 1, queueTimeout: 200ms}, ", "http://a:1", "http://b:1");
        RequestFacts facts = facts();
        Exchange first = Exchange.begin(limited, "orders", facts);
        assertThatThrownBy(() -> Exchange.begin(limited, "orders", facts))
                .isInstanceOf(NoEndpointException.class)
                .hasMessageContaining("as many requests under way as it may have");
        CompletableFuture<Exchange> waiting =
                CompletableFuture.supplyAsync(() -> Exchange.begin(limited, "orders", facts));
        await().until(() -> limited.balancer().waitingLine().size() == 1);
        first.dropped();
        waiting.get().dropped();
        assertThat(limited.balancer().snapshot().endpoints())
                .allSatisfy(each -> assertThat(each.inFlight()).isZero());
    }

    @Test
    void aServerThatRefusesIsFollowedByTheNextUntilNoneIsLeft() throws Exception {
        connection.setRequestMethod("POST");
        Exchange exchange = begin();

        assertThat(exchange.connectFailed(new ConnectException()).id()).isEqualTo("b:1");
        assertThat(exchange.connectFailed(new ConnectException())).isNull();
        assertThat(exchange.hasEnded()).isTrue();
        assertThat(of("a:1").failures()).isEqualTo(1);
        assertThat(of("b:1").failures()).isEqualTo(1);
        assertThat(inFlight("a:1") + inFlight("b:1")).isZero();
    }

    @Test
    void aFreshConnectionThatBrokeSendsAGetToTheNextServer() {
        Exchange exchange = begin();
        exchange.connecting();

        assertThat(exchange.resend().id()).isEqualTo("b:1");
        assertThat(of("a:1").failures()).isEqualTo(1);
        assertThat(inFlight("a:1")).isZero();
        assertThat(inFlight("b:1")).isEqualTo(1);
    }

    @Test
    void aFreshConnectionThatBrokeLeavesAPostWithItsServer() throws Exception {
        connection.setRequestMethod("POST");
        Exchange exchange = begin();
        exchange.connecting();

        assertThat(exchange.resend().id()).isEqualTo("a:1");
        assertThat(exchange.connectFailed(new ConnectException())).isNull();
        assertThat(of("a:1").failures()).isEqualTo(1);
        assertThat(inFlight("a:1") + inFlight("b:1")).isZero();
    }

    @Test
    void aStaleConnectionIsNobodysFaultAndAPostGoesOn() throws Exception {
        connection.setRequestMethod("POST");
        Exchange exchange = begin();

        String next = exchange.resend().id();
        assertThat(of("a:1").failures()).isZero();
        assertThat(inFlight(next)).isEqualTo(1);
        assertThat(inFlight("a:1") + inFlight("b:1")).isEqualTo(1);
    }

    @Test
    void aRequestThatIsDroppedBeforeItsAnswerTeachesNothing() {
        Exchange exchange = begin();
        exchange.dropped();

        assertThat(inFlight("a:1")).isZero();
        assertThat(of("a:1").failures()).isZero();
    }

    @Test
    void anInterruptedCallIsNotTriedAgain() {
        Exchange exchange = begin();
        Thread.currentThread().interrupt();
        try {
            assertThat(exchange.connectFailed(new ConnectException())).isNull();
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
        assertThat(of("a:1").failures()).isZero();
    }

    @Test
    void theServiceSaysHowOftenAndHowSoonConnectingIsTriedAgain() {
        Service patient = TestServices.ordersWith(
                "retry: {backoff: {initial: 30ms, max: 30ms, jitter: 0, afterConnect: true}}, ", "http://a:1");
        Exchange exchange = Exchange.begin(patient, "orders", facts());
        long start = System.nanoTime();

        assertThat(exchange.connectFailed(new ConnectException()).id()).isEqualTo("a:1");
        assertThat(exchange.connectFailed(new ConnectException()).id()).isEqualTo("a:1");
        assertThat(exchange.connectFailed(new ConnectException())).isNull();
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(60_000_000);
        assertThat(exchange.hasEnded()).isTrue();
        assertThat(patient.balancer().snapshot().endpoints().get(0).inFlight()).isZero();
    }

    @Test
    void anInterruptEndsTheWait() {
        Service patient = TestServices.ordersWith(
                "retry: {backoff: {initial: 1m, max: 1m, jitter: 0, afterConnect: true}}, ",
                "http://a:1",
                "http://b:1");
        Exchange exchange = Exchange.begin(patient, "orders", facts());
        Thread application = Thread.currentThread();
        Thread interrupter = new Thread(() -> {
            await().until(() -> application.getState() == Thread.State.TIMED_WAITING);
            application.interrupt();
        });
        interrupter.start();

        assertThat(exchange.connectFailed(new ConnectException())).isNull();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(patient.balancer().snapshot().endpoints())
                .extracting(EndpointSnapshot::inFlight)
                .containsOnly(0);
    }

    @Test
    void withoutServersThereIsNoExchange() {
        Service none = TestServices.orders();

        assertThatThrownBy(() -> Exchange.begin(none, "orders", facts())).isInstanceOf(NoEndpointException.class);
    }

    private Exchange begin() {
        return Exchange.begin(service, "orders", facts());
    }

    private int inFlight(String id) {
        return of(id).inFlight();
    }

    private EndpointSnapshot of(String id) {
        return service.balancer().snapshot().endpoints().stream()
                .filter(each -> each.endpoint().id().equals(id))
                .findAny()
                .get();
    }

    private static HttpURLConnection connection() {
        try {
            return (HttpURLConnection) new URL("http://orders/x?y").openConnection();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private RequestFacts facts() {
        return new Facts() {
            @Override
            public String method() {
                return connection.getRequestMethod();
            }
        };
    }
}
