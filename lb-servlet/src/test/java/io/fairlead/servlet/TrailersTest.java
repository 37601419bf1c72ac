package io.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.eclipse.jetty.http.HttpFields;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The fields behind a body, both ways (RFC 9110, 6.5). */
final class TrailersTest extends ContainerTest {
    @Test
    void thoseOfAnAnswerComeThroughWhenTheyAreAnnounced() throws Exception {
        RawBackend backend = backend(head(200, "Trailer: X-Sum")
                + "Transfer-Encoding: chunked\r\n\r\n4\r\nwiki\r\n0\r\nX-Sum: 12\r\nConnection: X-Sum\r\n"
                + "Set-Cookie: a=b\r\n\r\n");
        proxyTo(backend.url());

        RawMessage answer = client().get("/");

        assertThat(answer.body()).isEqualTo("wiki");
        assertThat(answer.value("Trailer")).isEqualTo("X-Sum");
        assertThat(answer.trailers()).singleElement().asString().isEqualToIgnoringCase("X-Sum: 12");
        awaitNothingInFlight();
    }

    @Test
    void thoseOfAnAnswerComeThroughToAClientThatSaysThatItTakesThem() throws Exception {
        RawBackend backend =
                backend(head(200) + "Transfer-Encoding: chunked\r\n\r\n4\r\nwiki\r\n0\r\nX-Sum: 12\r\n\r\n");
        proxyTo(backend.url());

        RawMessage answer = client().get("/", "TE: trailers", "Connection: TE");

        assertThat(answer.trailers()).singleElement().asString().isEqualToIgnoringCase("X-Sum: 12");
        assertThat(backend.request().value("TE")).isEqualTo("trailers");
    }

    @Test
    void anAnswerWithoutAnyHasNone() throws Exception {
        RawBackend backend =
                backend(head(200, "Trailer: X-Sum") + "Transfer-Encoding: chunked\r\n\r\n4\r\nwiki\r\n0\r\n\r\n");
        proxyTo(backend.url());

        try (RawClient client = client()) {
            for (int i = 0; i < 2; i++) {
                RawMessage answer = client.get("/");
                assertThat(answer.body()).isEqualTo("wiki");
                assertThat(answer.trailers()).isEmpty();
            }
        }
    }

    @Test
    void thoseOfARequestComeThroughWhereTheContainerLetsThem() throws Exception {
        RawBackend backend = backend(answer(200, "x"));
        proxyTo(backend.url());

        client().exchange(
                        "POST",
                        "/",
                        "4\r\nwiki\r\n0\r\nX-Sum: 12\r\nContent-Length: 7\r\n\r\n",
                        "Transfer-Encoding: chunked",
                        "Trailer: X-Sum");

        RawMessage request = backend.request();
        assertThat(request.body()).isEqualTo("wiki");
        assertThat(request.value("Trailer")).isEqualTo("X-Sum");
        // Of Tomcat those that its allowedTrailerHeaders name.
        assertThat(request.trailers()).singleElement().asString().isEqualToIgnoringCase("X-Sum: 12");
    }

    /** A server that takes trailers for fields of the head would believe them. */
    @Test
    void noClientSaysWhereItComesFromInThem() throws Exception {
        RawBackend backend = backend(answer(200, "x"));
        proxyTo(backend.url());

        client().exchange(
                        "POST",
                        "/",
                        "4\r\nwiki\r\n0\r\n"
                                + String.join(
                                        "\r\n", "X-Forwarded-For: a", "X-Forwarded_For: a", "X-Real-IP: a", "X-Sum: 12")
                                + "\r\n\r\n",
                        "Transfer-Encoding: chunked");

        assertThat(backend.request().trailers()).singleElement().asString().isEqualToIgnoringCase("X-Sum: 12");
    }

    @Test
    void thoseOfAnHttp2ClientAreBothWays() throws Exception {
        RawBackend backend =
                backend(head(200) + "Transfer-Encoding: chunked\r\n\r\n4\r\nwiki\r\n0\r\nX-Sum: 34\r\n\r\n");
        proxyTo(backend.url());

        Http2Call call = closing(Http2Call.post(
                port(), "/", HttpFields.build().put("TE", "trailers").put("Trailer", "X-Sum")));
        call.send("some words".getBytes(StandardCharsets.US_ASCII));
        call.end(HttpFields.build().put("X-Sum", "12"));
        call.awaitAnswer();

        assertThat(call.body()).isEqualTo("wiki");
        assertThat(call.trailers()).isNotNull();
        assertThat(call.trailers().get("X-Sum")).isEqualTo("34");
        RawMessage request = backend.request();
        assertThat(request.body()).isEqualTo("some words");
        assertThat(request.trailers()).singleElement().asString().isEqualToIgnoringCase("X-Sum: 12");
    }

    /** Jetty would send them before what is left of the body. */
    @ParameterizedTest
    @ValueSource(ints = {100, 5_000, 50_000})
    void theyComeAfterABodyThatHasToWaitForTheClientsWindow(int length) throws Exception {
        String body = "x".repeat(length);
        RawBackend backend = backend(head(200) + "Transfer-Encoding: chunked\r\n\r\n" + Integer.toHexString(length)
                + "\r\n" + body + "\r\n0\r\nX-Sum: 34\r\n\r\n");
        proxyTo(backend.url());

        Http2Call call = closing(Http2Call.post(port(), "/", HttpFields.build().put("TE", "trailers"), length / 3));
        call.end();
        call.awaitAnswer();

        assertThat(call.isAnswered()).isTrue();
        assertThat(call.body()).isEqualTo(body);
        assertThat(call.trailers().get("X-Sum")).isEqualTo("34");
    }

    @Test
    void thoseOfAnHttp2ServerAreBothWays() throws Exception {
        JettyBackend backend = closing(JettyBackend.h2c());
        proxyTo(backend.url());

        RawMessage answer = client().exchange(
                        "POST",
                        "/",
                        "4\r\nwiki\r\n0\r\nX-Sum: 12\r\n\r\n",
                        "Transfer-Encoding: chunked",
                        "TE: trailers");

        assertThat(answer.body()).isEqualTo("wiki");
        assertThat(backend.request().trailers().get("X-Sum")).isEqualTo("12");
        assertThat(answer.trailers()).anyMatch("X-Answer-Trailer: yes"::equalsIgnoreCase);
    }
}
