package io.fairlead.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.Endpoint;
import io.fairlead.Scheduler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a check sends over the wire, and which answers pass. */
final class SocketProberTest {
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

    private final Scheduler scheduler = Scheduler.system();
    private Answers server;

    @AfterEach
    void stop() throws IOException {
        scheduler.close();
        if (server != null) {
            server.close();
        }
    }

    @Test
    void aRequestSaysWhatIsConfiguredAndNoMore() throws Exception {
        server = Answers.of(OK);
        assertThat(check("/base", check -> check.path("/healthz?deep=1"))).isEqualTo("passed");
        assertThat(server.requests())
                .containsExactly("GET /base/healthz?deep=1 HTTP/1.1\r\nHost: 127.0.0.1:" + server.port()
                        + "\r\nUser-Agent: fairlead-health\r\nAccept: */*\r\nConnection: close\r\n\r\n");
    }

    @Test
    void methodHostAndHeadersAreThoseOfTheCheck() throws Exception {
        server = Answers.of(OK);
        assertThat(check(
                        "",
                        check -> check.path("/")
                                .method("POST")
                                .hostname("orders.example")
                                .header("X-Check", "a b")
                                .header("user-agent", "probe/1")))
                .isEqualTo("passed");
        assertThat(server.requests())
                .containsExactly("POST / HTTP/1.1\r\nHost: orders.example\r\nAccept: */*\r\nX-Check: a b\r\n"
                        + "user-agent: probe/1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    }

    @ParameterizedTest
    @CsvSource({
        "200-399, 200, passed",
        "200-399, 399, passed",
        "200-399, 400, GET / answered 400",
        "204, 204, passed",
        "204, 200, GET / answered 200",
        "'200-299, 404', 404, passed",
        "'200-299, 404', 302, GET / answered 302"
    })
    void theStatusesThatPassAreThoseOfTheCheck(String expected, int status, String verdict) throws Exception {
        server = Answers.of("HTTP/1.1 " + status + " Some\r\n\r\n");
        assertThat(check("", check -> check.path("/").status(StatusCodes.parse(expected))))
                .isEqualTo(verdict);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nContent-Length: 16\r\n\r\n{\"status\": \"UP\"}",
                "HTTP/1.0 200 OK\r\n\r\n{\"status\": \"UP\"}",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                        + "9;x=y\r\n{\"status\"\r\n7\r\n: \"UP\"}\r\n0\r\n\r\n",
                "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 200 OK\r\n\r\n{\"status\": \"UP\"}"
            })
    void aBodyIsSearchedHoweverItIsFramed(String answer) throws Exception {
        server = Answers.of(answer);
        Pattern up = Pattern.compile("\"status\"\\s*:\\s*\"UP\"");
        Pattern down = Pattern.compile("DOWN");
        assertThat(check("", check -> check.path("/").bodyPattern(up))).isEqualTo("passed");
        assertThat(check("", check -> check.path("/").bodyPattern(down))).isEqualTo("the body does not match DOWN");
    }

    @Test
    void onlyTheFirst64KibibytesOfABodyAreRead() throws Exception {
        char[] filling = new char[HttpAnswer.MAX_BODY - 2];
        Arrays.fill(filling, 'x');
        server = Answers.of("HTTP/1.1 200 OK\r\n\r\n" + new String(filling) + "ab" + "c");
        assertThat(check("", check -> check.path("/").bodyPattern(Pattern.compile("ab"))))
                .isEqualTo("passed");
        assertThat(check("", check -> check.path("/").bodyPattern(Pattern.compile("abc"))))
                .isEqualTo("the body does not match abc");
    }

    @Test
    void aPatternThatBacktracksWithoutEndRunsOutOfTheChecksTime() throws Exception {
        server = Answers.of(
                "HTTP/1.1 200 OK\r\n\r\naaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!");
        // A bounded quantifier around an unbounded one, which no Java since 9 optimises away.
        Pattern catastrophic = Pattern.compile("(?:(a+){1,64})(?:(a+){1,64})(?:(a+){1,64})$");
        assertThat(check(
                        "",
                        check -> check.path("/").timeout(Duration.ofMillis(300)).bodyPattern(catastrophic)))
                .isEqualTo("timed out");
    }

    @ParameterizedTest
    @CsvSource({
        "'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort', the connection was closed before the end of the body",
        "'HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n', the answer's Content-Length is malformed",
        "'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n', the answer's chunks are malformed",
        "'HTTP/1.1 200 OK\r\nnonsense\r\n\r\n', the answer's head is malformed",
        "'SSH-2.0-OpenSSH\r\n', the answer is not HTTP",
        "'HTTP/1.1 200', the connection was closed before a status line"
    })
    void anAnswerThatIsBrokenDoesNotPass(String answer, String verdict) throws Exception {
        server = Answers.of(answer);
        assertThat(check("", check -> check.path("/").bodyPattern(Pattern.compile("^"))))
                .isEqualTo(verdict);
    }

    @Test
    void anAnswerWithoutEndDoesNotTakeTheMemory() throws Exception {
        StringBuilder endless = new StringBuilder("HTTP/1.1 200 OK\r\n");
        for (int i = 0; i < 5_000; i++) {
            endless.append("X-Filling-").append(i).append(": 0123456789\r\n");
        }
        server = Answers.of(endless.toString());
        assertThat(check("", check -> check.path("/").bodyPattern(Pattern.compile("^"))))
                .isEqualTo("the head is longer than 65536 bytes");
    }

    @Test
    void aRedirectIsAnAnswerUnlessItIsToBeFollowed() throws Exception {
        server = new Answers(request -> request.startsWith("GET /healthz ")
                ? "HTTP/1.1 302 Found\r\nLocation: /real?x=1\r\n\r\n"
                : "HTTP/1.1 503 Unavailable\r\n\r\n");
        assertThat(check("", check -> check.path("/healthz"))).isEqualTo("passed");
        assertThat(check("", check -> check.path("/healthz").followRedirects(true)))
                .isEqualTo("GET /real?x=1 answered 503");
    }

    @Test
    void aRedirectToAnotherServerOrWithoutEndIsNotFollowed() throws Exception {
        server = new Answers(request -> request.startsWith("GET /away ")
                ? "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\n\r\n"
                : "HTTP/1.1 302 Found\r\nLocation: /round\r\n\r\n");
        StatusCodes ok = StatusCodes.parse("200");
        assertThat(check("", check -> check.path("/away").followRedirects(true).status(ok)))
                .isEqualTo("GET /away answered 302");
        server.requests().clear();
        assertThat(check("", check -> check.path("/round").followRedirects(true).status(ok)))
                .isEqualTo("GET /round answered 302");
        assertThat(server.requests()).hasSize(6);
    }

    @Test
    void theTimeoutHoldsForTheWholeOfACheckAndAServerThatDripsDoesNotStretchIt() throws Exception {
        try (ServerSocket dripping = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread drip = new Thread(() -> {
                try (Socket socket = dripping.accept()) {
                    while (true) {
                        socket.getOutputStream().write('H');
                        socket.getOutputStream().flush();
                    }
                } catch (IOException e) {
                    Thread.currentThread().interrupt();
                }
            });
            drip.setDaemon(true);
            drip.start();
            CompletableFuture<Verdict> verdict = new CompletableFuture<>();
            scheduler
                    .prober()
                    .probe(
                            Endpoint.of("http://127.0.0.1:" + dripping.getLocalPort()),
                            HealthCheck.builder()
                                    .path("/")
                                    .timeout(Duration.ofMillis(200))
                                    .build(),
                            false,
                            verdict::complete);
            assertThat(verdict.get().error()).isIn("timed out", "the status line is longer than 1024 bytes");
        }
    }

    @Test
    void whereNoThreadIsToBeHadACheckFailsAndTheNextIsMade() throws Exception {
        server = Answers.of(OK);
        AtomicInteger asked = new AtomicInteger();
        Executor scarce = task -> {
            if (asked.getAndIncrement() == 0) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            new Thread(task).start();
        };
        try (SocketProber prober = new SocketProber(scarce, Runnable::run, Runnable::run)) {
            assertThat(verdict(prober, "http://127.0.0.1:" + server.port()))
                    .isEqualTo("unable to create native thread");
            assertThat(verdict(prober, "http://127.0.0.1:" + server.port())).isEqualTo("passed");
        }
    }

    @Test
    void aNameThatCouldNotBeLookedUpForWantOfAThreadIsLookedUpTheNextTime() throws Exception {
        server = Answers.of(OK);
        AtomicInteger asked = new AtomicInteger();
        Executor scarce = task -> {
            if (asked.getAndIncrement() == 0) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            task.run();
        };
        try (SocketProber prober = new SocketProber(task -> new Thread(task).start(), Runnable::run, scarce)) {
            assertThat(verdict(prober, "http://localhost:" + server.port()))
                    .isEqualTo("unable to create native thread");
            assertThat(verdict(prober, "http://localhost:" + server.port())).isEqualTo("passed");
        }
    }

    @Test
    void aVerdictForWhichThereIsNoThreadIsToldAllTheSame() throws Exception {
        server = Answers.of(OK);
        Executor none = task -> {
            throw new OutOfMemoryError("unable to create native thread");
        };
        try (SocketProber prober = new SocketProber(task -> new Thread(task).start(), none, Runnable::run)) {
            assertThat(verdict(prober, "http://127.0.0.1:" + server.port())).isEqualTo("passed");
        }
    }

    private static String verdict(SocketProber prober, String url) throws Exception {
        CompletableFuture<Verdict> verdict = new CompletableFuture<>();
        HealthCheck check = HealthCheck.builder().path("/").build();
        prober.probe(Endpoint.of(url), check, false, verdict::complete);
        return verdict.get(10, TimeUnit.SECONDS).toString();
    }

    @Test
    void anotherPortAndAnotherSchemeCanBeChecked() throws Exception {
        server = Answers.of(OK);
        HealthCheck check = HealthCheck.builder()
                .path("/")
                .scheme("http")
                .port(server.port())
                .build();
        assertThat(verdict("https://127.0.0.1:1", check)).isEqualTo("passed");
    }

    @Test
    void aHostThatIsNotKnownIsNamed() throws Exception {
        HealthCheck check = HealthCheck.builder().build();
        assertThat(verdict("http://no-such-host.invalid", check))
                .isEqualTo("the host 'no-such-host.invalid' is not known");
    }

    @Test
    void aNameIsLookedUp() throws Exception {
        server = Answers.of(OK);
        HealthCheck check = HealthCheck.builder().path("/").build();
        assertThat(verdict("http://localhost:" + server.port(), check)).isEqualTo("passed");
    }

    @Test
    void aPortOnWhichNobodyListensIsRefused() throws Exception {
        server = Answers.of(OK);
        int port = server.port();
        server.close();
        assertThat(verdict("http://127.0.0.1:" + port, HealthCheck.builder().build()))
                .startsWith("Connection refused");
    }

    private String check(String path, Consumer<HealthCheck.Builder> settings) throws Exception {
        // The machine may be busy with much else; who waits for a time limit names a short one.
        HealthCheck.Builder check = HealthCheck.builder().timeout(Duration.ofMinutes(1));
        settings.accept(check);
        return verdict("http://127.0.0.1:" + server.port() + path, check.build());
    }

    private String verdict(String url, HealthCheck check) throws Exception {
        CompletableFuture<Verdict> verdict = new CompletableFuture<>();
        scheduler.prober().probe(Endpoint.of(url), check, false, verdict::complete);
        return verdict.get().toString();
    }
}
