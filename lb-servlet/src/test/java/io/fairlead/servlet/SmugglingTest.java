package io.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;

/** Whatever a client sends: no server sees two requests for one, nor one that the client did not send. */
final class SmugglingTest extends ContainerTest {
    private record Attack(String name, String request) {
        boolean mayBeTwo() {
            return name.endsWith("[two]");
        }
    }

    @Test
    void noServerSeesARequestThatWasNotSent() throws Exception {
        RawBackend backend = backend(answer(200, "seen"));
        proxyTo(backend.url());
        List<Attack> corpus = corpus();
        assertThat(corpus).hasSizeGreaterThan(50);

        SoftAssertions all = new SoftAssertions();
        for (Attack attack : corpus) {
            int answers = send(attack);
            awaitNothingInFlight();
            check(attack.name(), attack.mayBeTwo(), answers, drain(backend), all);
        }
        all.assertAll();
    }

    @Test
    void noServerSeesARequestThatWasNotSentInHttp2() throws Exception {
        RawBackend backend = backend(answer(200, "seen"));
        proxyTo(backend.url());

        for (Http2Attacks.Attack attack : Http2Attacks.all()) {
            try (RawHttp2Request sending = RawHttp2Request.of(port(), attack.fields(), attack.body())) {
                sending.awaitEnd();
            }
        }
        // What an attack has set going is on its way before this.
        assertThat(client().get("/last").body()).isEqualTo("seen");

        SoftAssertions all = new SoftAssertions();
        List<RawMessage> seen = drain(backend);
        seen.removeIf(request -> request.target().equals("/last"));
        check("HTTP/2", false, Http2Attacks.all().size(), seen, all);
        all.assertAll();
    }

    private static void check(String name, boolean mayBeTwo, int answers, List<RawMessage> seen, SoftAssertions all) {
        all.assertThat(seen).as(name + ": requests seen").hasSizeLessThanOrEqualTo(answers);
        for (RawMessage request : seen) {
            // What is escaped in the target stays so.
            String allowed = mayBeTwo
                    ? "(POST|GET) /(first|SMUGGLED) HTTP/1.1"
                    : "(POST|GET) /first(%20HTTP/1.1%0d%0a\\S+)? HTTP/1.1";
            all.assertThat(request.startLine()).as(name + ": " + request).matches(allowed);
            int framings = request.values("Content-Length").size()
                    + request.values("Transfer-Encoding").size();
            all.assertThat(framings).as(name + ": framings of " + request).isLessThanOrEqualTo(1);
            all.assertThat(request.values("Host")).as(name).hasSize(1);
            all.assertThat(request.fields())
                    .as(name)
                    .allMatch(field -> field.chars().allMatch(c -> c >= ' ' || c == '\t'))
                    .noneMatch(field -> field.startsWith(" ") || field.startsWith("\t"));
            all.assertThat(request.values("Upgrade")).as(name).isEmpty();
        }
    }

    /** Sends the bytes and the end of the stream; gives how many answers came that could be the server's. */
    private int send(Attack attack) throws IOException {
        try (RawClient client = new RawClient(port())) {
            client.socket().setSoTimeout(5_000);
            client.out().write(bytes(attack.request()));
            client.out().flush();
            client.socket().shutdownOutput();
            String all = new String(client.in().readAllBytes(), StandardCharsets.ISO_8859_1);
            return Math.max(1, all.split("seen", -1).length - 1);
        } catch (SocketTimeoutException e) {
            throw new AssertionError("the client is left waiting: " + attack.name(), e);
        } catch (IOException e) {
            // The container closed before it had read everything.
            return 1;
        }
    }

    private static List<RawMessage> drain(RawBackend backend) throws InterruptedException {
        List<RawMessage> seen = new ArrayList<>();
        while (backend.pendingRequests() > 0) {
            seen.add(backend.request());
        }
        return seen;
    }

    private static List<Attack> corpus() throws IOException {
        String text;
        try (InputStream in = SmugglingTest.class.getResourceAsStream("smuggling.txt")) {
            text = new String(in.readAllBytes(), StandardCharsets.US_ASCII);
        }
        List<Attack> attacks = new ArrayList<>();
        for (String block : List.of(text.split("(?m)^=== ", -1)).subList(1, text.split("(?m)^=== ", -1).length)) {
            int end = block.indexOf('\n');
            attacks.add(new Attack(block.substring(0, end), block.substring(end + 1)));
        }
        return attacks;
    }

    private static byte[] bytes(String block) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = 0; i < block.length(); i++) {
            char c = block.charAt(i);
            if (c == '\n') {
                bytes.writeBytes(new byte[] {'\r', '\n'});
            } else if (c == '\\') {
                char escaped = block.charAt(++i);
                switch (escaped) {
                    case '\n' -> {}
                    case 'r' -> bytes.write('\r');
                    case 'n' -> bytes.write('\n');
                    case 't' -> bytes.write('\t');
                    case 'v' -> bytes.write(0x0B);
                    case '0' -> bytes.write(0);
                    case 'x' -> {
                        bytes.write(Integer.parseInt(block.substring(i + 1, i + 3), 16));
                        i += 2;
                    }
                    default -> throw new IllegalArgumentException("no such escape: " + escaped);
                }
            } else {
                bytes.write(c);
            }
        }
        return bytes.toByteArray();
    }
}
