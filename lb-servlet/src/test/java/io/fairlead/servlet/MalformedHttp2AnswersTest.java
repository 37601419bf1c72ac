package io.fairlead.servlet;

import static io.fairlead.servlet.RawHttp2Backend.END_STREAM;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.servlet.RawHttp2Backend.Answering;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.assertj.core.api.SoftAssertions;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Answers over HTTP/2 that are none (RFC 9113, 8.1.1): nobody is left waiting, and no connection is left behind. */
final class MalformedHttp2AnswersTest extends ContainerTest {
    private volatile Answering answering;
    private RawBackend backend;

    private void proxyToBackend() throws Exception {
        backend = closing(RawHttp2Backend.answering(answer -> answering.answer(answer)));
        proxyTo(RawHttp2Backend.url(backend));
    }

    @Test
    void theyAreAnsweredWith502() throws Exception {
        proxyToBackend();
        Map<String, Answering> answers = new LinkedHashMap<>();
        answers.put("a length and no body", a -> a.head(END_STREAM, ":status", "200", "content-length", "500"));
        answers.put(
                "two lengths",
                a -> a.head(0, ":status", "200", "content-length", "1", "content-length", "2")
                        .data(END_STREAM, "x"));
        answers.put(
                "a length of no number",
                a -> a.head(0, ":status", "200", "content-length", "5x").data(END_STREAM, "hello"));
        answers.put("an end after 103", a -> a.head(0, ":status", "103").data(END_STREAM, ""));
        answers.put("an end with 103", a -> a.head(END_STREAM, ":status", "103"));
        answers.put("a body without a head", a -> a.data(0, "abc"));
        answers.put("an end without a head", a -> a.data(END_STREAM, ""));
        answers.put("fields without a status", a -> a.head(END_STREAM, "x", "y"));
        SoftAssertions all = new SoftAssertions();
        answers.forEach(
                (name, answer) -> all.assertThat(ask("GET", answer)).as(name).isEqualTo("502"));
        all.assertAll();

        awaitNothingInFlight();
    }

    @Test
    void theConnectionOfAHeadThatCannotBeReadIsKeptForOthersOrClosed() throws Exception {
        proxyToBackend();
        Map<String, Answering> answers = new LinkedHashMap<>();
        answers.put("Connection", a -> a.head(END_STREAM, ":status", "200", "connection", "close"));
        answers.put("a name in capitals", a -> a.head(END_STREAM, ":status", "200", "X", "y"));
        answers.put("a line end in a value", a -> a.head(END_STREAM, ":status", "200", "x", "y\r\nz: 1"));
        answers.put("a status of no number", a -> a.head(END_STREAM, ":status", "abc"));
        answers.put("two statuses", a -> a.head(END_STREAM, ":status", "200", ":status", "201"));
        SoftAssertions all = new SoftAssertions();
        answers.forEach(
                (name, answer) -> all.assertThat(ask("GET", answer)).as(name).isEqualTo("502"));
        all.assertAll();

        awaitNothingInFlight();
        Awaitility.await().atMost(Duration.ofSeconds(5)).until(() -> backend.openConnections() <= 1);
        assertThat(ask("GET", a -> a.head(0, ":status", "200").data(END_STREAM, "ok")))
                .isEqualTo("200 ok");
    }

    @Test
    void aBodyThatDoesNotFitItsLengthIsSeenBroken() throws Exception {
        proxyToBackend();
        Map<String, Answering> answers = new LinkedHashMap<>();
        answers.put(
                "too short",
                a -> a.head(0, ":status", "200", "content-length", "100").data(END_STREAM, "short"));
        answers.put(
                "too long",
                a -> a.head(0, ":status", "200", "content-length", "2").data(END_STREAM, "long"));
        answers.put(
                "too short with trailers",
                a -> a.head(0, ":status", "200", "content-length", "100")
                        .data(0, "short")
                        .head(END_STREAM, "x-trailer", "1"));
        answers.put(
                "trailers in place of a body",
                a -> a.head(0, ":status", "200", "content-length", "5").head(END_STREAM, "x-trailer", "1"));
        answers.put(
                "a second head", a -> a.head(0, ":status", "200").data(0, "x").head(0, ":status", "200"));
        answers.put(
                "more after the trailers",
                a -> a.head(0, ":status", "200").data(0, "x").head(0, "x-trailer", "1"));
        answers.put(
                "a window that is too large",
                a -> a.head(0, ":status", "200").data(0, "x").window(Integer.MAX_VALUE));
        SoftAssertions all = new SoftAssertions();
        // 502 where nothing had gone out yet.
        answers.forEach(
                (name, answer) -> all.assertThat(ask("GET", answer)).as(name).isIn("broken", "502"));
        all.assertAll();
        awaitNothingInFlight();
        Awaitility.await().atMost(Duration.ofSeconds(5)).until(() -> backend.openConnections() <= 1);
    }

    @Test
    void aLengthOfABodyThatIsNotSentIsNoFault() throws Exception {
        proxyToBackend();

        assertThat(ask("HEAD", a -> a.head(END_STREAM, ":status", "200", "content-length", "500")))
                .isEqualTo("200 ");
        assertThat(ask("GET", a -> a.head(END_STREAM, ":status", "304", "content-length", "500")))
                .isEqualTo("304 ");
        assertThat(ask("GET", a -> a.head(END_STREAM, ":status", "200", "content-length", "0")))
                .isEqualTo("200 ");
        assertThat(backend.connections()).isEqualTo(1);
    }

    @Test
    void aConnectionThatTheServerMeansToEndIsClosedAfterItsLastRequest() throws Exception {
        proxyToBackend();

        assertThat(ask("GET", a -> a.goingAway().head(0, ":status", "200").data(END_STREAM, "ok")))
                .isEqualTo("200 ok");

        Awaitility.await().atMost(Duration.ofSeconds(5)).until(() -> backend.openConnections() == 0);
    }

    private String ask(String method, Answering answer) {
        answering = answer;
        try (RawClient client = new RawClient(port())) {
            client.socket().setSoTimeout(3_000);
            client.send(method, "/");
            RawMessage got = client.read(method);
            return got.status() == 502 ? "502" : got.status() + " " + got.body();
        } catch (SocketTimeoutException e) {
            return "left waiting";
        } catch (IOException e) {
            return "broken";
        }
    }
}
