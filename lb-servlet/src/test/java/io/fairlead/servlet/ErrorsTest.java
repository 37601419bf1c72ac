package io.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** {@code errors}. */
final class ErrorsTest extends ContainerTest {
    private static String withPages(String orders, String pages, String... middlewares) {
        return through(orders, middlewares) + "    Pages: {loadBalancer: {servers: [{url: \"" + pages + "\"}]}}\n";
    }

    @Test
    void thePageOfTheServiceReplacesTheAnswerAndTheStatusStays() throws Exception {
        RawBackend orders = backend(peer -> {
            while (peer.readRequest()) {
                peer.write(answer(peer.last().target().startsWith("/gone") ? 404 : 500, "the inside"));
            }
        });
        RawBackend pages = backend(answer(200, "sorry", "Content-Type: text/html"));
        proxy(withPages(
                orders.url(),
                pages.url(),
                "e: {errors: {status: [\"500-599\"], service: pages, query: \"/{status}.html?u={url}\"}}"));

        RawMessage replaced = client().get("/a%20b?c=d&e");
        assertThat(replaced.status()).isEqualTo(500);
        assertThat(replaced.body()).isEqualTo("sorry");
        assertThat(replaced.value("Content-Type")).isEqualTo("text/html");
        assertThat(pages.request().target()).isEqualTo("/500.html?u=%2Fa%2520b%3Fc%3Dd%26e");
        RawMessage passed = client().get("/gone");
        assertThat(passed.status()).isEqualTo(404);
        assertThat(passed.body()).isEqualTo("the inside");
        awaitNothingInFlight();
    }

    @Test
    void statusesAreRewrittenAndTheProxysOwnAnswersAreReplacedToo() throws Exception {
        RawBackend pages = backend(answer(404, "a page that is missing"));
        proxy(withPages(
                "http://127.0.0.1:" + RawBackend.refusedPort(),
                pages.url(),
                "e: {errors: {status: [\"403\", \"500,502-504\"], statusRewrites: {\"502-504\": 500}, service: pages,"
                        + " query: \"{originalStatus}/{status}\"}}",
                "h: {headers: {allowedHosts: [shop.example]}}"));

        RawMessage broken = client().get("/");
        assertThat(broken.status()).isEqualTo(500);
        assertThat(broken.body()).isEqualTo("a page that is missing");
        assertThat(pages.request().target()).isEqualTo("/502/500");
        RawMessage refused = client().get("/", "Host: other.example");
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.body()).isEqualTo("a page that is missing");
        assertThat(pages.request().target()).isEqualTo("/403/403");
    }

    @Test
    void whatTheStatusNeedsIsKeptWithAndWithoutThePage() throws Exception {
        RawBackend orders = backend(peer -> {
            while (peer.readRequest()) {
                boolean gone = peer.last().target().equals("/gone");
                peer.write(
                        gone
                                ? answer(405, "", "Allow: GET, PUT", "X-Inside: 1")
                                : answer(401, "", "WWW-Authenticate: Basic realm=\"x\"", "WWW-Authenticate: Bearer"));
            }
        });
        RawBackend pages = backend(answer(200, "sorry"));
        proxy(withPages(orders.url(), pages.url(), "e: {errors: {status: [\"200-599\"], service: pages}}"));

        RawMessage refused = client().get("/");
        assertThat(refused.status()).isEqualTo(401);
        assertThat(refused.body()).isEqualTo("sorry");
        assertThat(refused.values("WWW-Authenticate")).containsExactly("Basic realm=\"x\"", "Bearer");
        balancers().get("Pages").fence(pages.url().substring("http://".length()));
        RawMessage own = client().get("/gone");
        assertThat(own.status()).isEqualTo(405);
        assertThat(own.value("Allow")).isEqualTo("GET, PUT");
        assertThat(own.value("X-Inside")).isNull();
    }

    @Test
    void anAnswerWithoutABodyGetsNoPage() throws Exception {
        RawBackend orders = backend(head(204) + "\r\n");
        RawBackend pages = backend(answer(200, "sorry"));
        proxy(withPages(orders.url(), pages.url(), "e: {errors: {status: [\"200-599\"], service: pages}}"));

        assertThat(client().exchange("DELETE", "/", "").status()).isEqualTo(204);
        assertThat(pages.connections()).isZero();
    }

    @Test
    void withoutThePageTheStatusIsThereInAProblem() throws Exception {
        RawBackend orders = backend(answer(503, "the inside"));
        proxy(withPages(
                orders.url(),
                "http://127.0.0.1:" + RawBackend.refusedPort(),
                "e: {errors: {status: [\"503\"], service: pages, statusRewrites: {\"503\": \"500\"}}}"));

        RawMessage answer = client().get("/");

        assertThat(answer.status()).isEqualTo(500);
        assertThat(answer.value("Content-Type")).isEqualTo("application/problem+json");
        assertThat(answer.body()).contains("\"status\":500").doesNotContain("inside");
        awaitNothingInFlight();
    }

    @Test
    void aPageThatBreaksOffIsABrokenAnswer() throws Exception {
        RawBackend orders = backend(answer(503, "the inside"));
        RawBackend pages = backend(peer -> {
            peer.readRequest();
            peer.write(head(200) + "Content-Length: 100000\r\n\r\n" + "x".repeat(50_000));
        });
        proxy(withPages(orders.url(), pages.url(), "e: {errors: {status: [\"503\"], service: pages}}"));

        RawClient client = client();
        client.send("GET", "/");
        RawMessage answer = client.readHead();

        assertThat(answer.status()).isIn(502, 503);
        if ("application/problem+json".equals(answer.value("Content-Type"))) {
            answer.readBody(client.in(), false);
            assertThat(answer.body()).contains("\"status\":" + answer.status());
        } else {
            assertThatThrownBy(() -> answer.readBody(client.in(), false)).isInstanceOf(IOException.class);
        }
        awaitNothingInFlight();
    }

    @Test
    void aBodyThatIsTooLongIsAnsweredThoughItsStatusHasAPage() throws Exception {
        RawBackend orders = backend(answer(200, "x"));
        RawBackend pages = backend(answer(200, "sorry"));
        AtomicInteger ends = new AtomicInteger();
        proxy(
                withPages(
                        orders.url(),
                        pages.url(),
                        "e: {errors: {status: [\"400-599\"], service: pages}}",
                        "b: {buffering: {maxRequestBodyBytes: 10}}"),
                request -> request.onEnd(ends::incrementAndGet));

        RawMessage answer =
                client().exchange("POST", "/", "b\r\n0123456789a\r\n0\r\n\r\n", "Transfer-Encoding: chunked");

        assertThat(answer.status()).isEqualTo(413);
        Awaitility.await().until(() -> ends.get() == 1);
        awaitNothingInFlight();
    }
}
