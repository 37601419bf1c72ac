package io.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What a request and its answer look like on the other side. */
final class PassingThroughTest extends ContainerTest {
    @Test
    void aGetIsAnsweredByTheServer() throws Exception {
        RawBackend backend = backend(answer(200, "hello", "Content-Type: text/plain", "X-One: 1", "X-One: 2"));
        proxyTo(backend.url());

        RawMessage answer = client().get("/a/b?c=d");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("hello");
        assertThat(answer.value("Content-Type")).startsWith("text/plain");
        assertThat(answer.values("X-One")).containsExactly("1", "2");
        assertThat(backend.request().startLine()).isEqualTo("GET /a/b?c=d HTTP/1.1");
        awaitNothingInFlight();
    }
}
