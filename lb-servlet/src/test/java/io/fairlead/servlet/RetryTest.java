package io.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** {@code retry}. */
final class RetryTest extends ContainerTest {
    /** Hangs up on the first requests. */
    private RawBackend failing(int times, AtomicInteger requests) throws Exception {
        return backend(peer -> {
            while (peer.readRequest()) {
                if (requests.incrementAndGet() <= times) {
                    return;
                }
                peer.write(answer(200, "x"));
            }
        });
    }

    @Test
    void aRequestIsSentAsOftenAsItSaysToOneServerToo() throws Exception {
        AtomicInteger requests = new AtomicInteger();
        RawBackend backend = failing(3, requests);
        proxy(through(backend.url(), "r: {retry: {attempts: 4, initialInterval: 5ms}}"));

        assertThat(client().exchange("PUT", "/", "abc", "Content-Length: 3").status())
                .isEqualTo(200);
        assertThat(requests).hasValue(4);
        requests.set(-100);
        assertThat(client().get("/").status()).isEqualTo(502);
        assertThat(requests).hasValue(-96);
    }

    @Test
    void withoutAnIntervalItIsSentAtOnce() throws Exception {
        AtomicInteger requests = new AtomicInteger();
        RawBackend backend = failing(2, requests);
        proxy(through(backend.url(), "r: {retry: {attempts: 3}}"));

        assertThat(client().get("/").status()).isEqualTo(200);
        assertThat(requests).hasValue(3);
    }

    @Test
    void oneAttemptIsNoRetry() throws Exception {
        AtomicInteger requests = new AtomicInteger();
        RawBackend one = failing(1, requests);
        proxy(through(one.url(), "r: {retry: {attempts: 1}}"));

        assertThat(client().get("/").status()).isEqualTo(502);
        assertThat(requests).hasValue(1);
    }

    @Test
    void whatIsNotIdempotentIsSentAgainOnlyWhereItIsSaid() throws Exception {
        AtomicInteger requests = new AtomicInteger();
        RawBackend backend = failing(1, requests);
        proxy("""
                http:
                  routers:
                    safe: {rule: "PathPrefix(`/`)", service: orders, middlewares: [safe]}
                    bold: {rule: "PathPrefix(`/bold`)", service: orders, middlewares: [bold]}
                  middlewares:
                    safe: {retry: {attempts: 3}}
                    bold: {retry: {attempts: 3, retryNonIdempotentMethod: true}}
                  services:
                    orders: {loadBalancer: {servers: [{url: "%s"}]}}
                """.formatted(backend.url()));

        assertThat(client().exchange("POST", "/", "abc", "Content-Length: 3").status())
                .isEqualTo(502);
        requests.set(0);
        assertThat(client().exchange("POST", "/bold", "abc", "Content-Length: 3")
                        .status())
                .isEqualTo(200);
    }

    @Test
    void statusesAreTriedAgainAndNothingElseWhereThatIsSaid() throws Exception {
        AtomicInteger requests = new AtomicInteger();
        RawBackend backend = backend(peer -> {
            while (peer.readRequest()) {
                int number = requests.incrementAndGet();
                if (peer.last().target().equals("/break")) {
                    return;
                }
                peer.write(answer(number < 3 ? 500 : 200, "x" + number));
            }
        });
        proxy(through(
                backend.url(), "r: {retry: {attempts: 3, status: [\"500-599\"], disableRetryOnNetworkError: true}}"));

        assertThat(client().get("/").body()).isEqualTo("x3");
        requests.set(0);
        assertThat(client().get("/break").status()).isEqualTo(502);
        assertThat(requests).hasValue(1);
    }
}
