package io.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whatever a server sends, no client gets an answer that was meant for another request, and none is left waiting. */
@Tag("thorough")
final class ForgedAnswersTest extends ContainerTest {
    private static final String EVIL = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil";

    /** What one of them is followed by on the same connection is {@link #EVIL}. */
    private static Map<String, String> answers() {
        Map<String, String> answers = new TreeMap<>();
        for (String framing : List.of(
                "Content-Length: 5\r\nTransfer-Encoding: chunked",
                "Transfer-Encoding: chunked\r\nContent-Length: 5",
                "Content-Length: 5\r\nContent-Length: 0",
                "Content-Length: 5, 0",
                "Content-Length: +5",
                "Content-Length: -5",
                "Content-Length: 0x5",
                "Content-Length: 99999999999999999999",
                "Content-Length : 5",
                " Content-Length: 5",
                "X: y\rContent-Length: 0",
                "X: y\0z",
                "X y",
                "X: y\r\n Content-Length: 0",
                "Transfer-Encoding: chunked, chunked",
                "Transfer-Encoding: gzip",
                "Transfer-Encoding: chunked, gzip",
                "Transfer-Encoding: xchunked",
                "Transfer-Encoding:\u000bchunked",
                "Transfer-Encoding: identity")) {
            answers.put(framing, "HTTP/1.1 200 OK\r\n" + framing + "\r\n\r\n0\r\n\r\n");
        }
        for (String status :
                List.of("HTTP/1.1 20 OK", "HTTP/1.1 2000 OK", "HTTP/2.0 200 OK", "HTTP/1.1 0200 OK", "200 OK")) {
            answers.put(status, status + "\r\nContent-Length: 5\r\n\r\n0\r\n\r\n");
        }
        for (String size : List.of("-1", "0x4", "4 4", "FFFFFFFFFFFFFFFFF", "g", "", "+4")) {
            answers.put("a chunk of " + size, chunked(size + "\r\nbody\r\n0\r\n\r\n"));
        }
        answers.put("a chunk that goes on", chunked("4\r\nbodyXX\r\n0\r\n\r\n"));
        answers.put("a bad trailer", chunked("4\r\nbody\r\n0\r\nX y\r\n\r\n"));
        answers.put("a 204 with a body", "HTTP/1.1 204 None\r\nContent-Length: 5\r\n\r\nhello");
        answers.put("a 304 with a body", "HTTP/1.1 304 Same\r\nContent-Length: 5\r\n\r\nhello");
        answers.put("a 205 with a body", "HTTP/1.1 205 Reset\r\nContent-Length: 5\r\n\r\nhello");
        answers.put("a body longer than its length", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhello");
        answers.put("two answers", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
        answers.put("an interim answer with a length", "HTTP/1.1 103 Hints\r\nContent-Length: 5\r\n\r\n");
        answers.put("an unknown interim answer", "HTTP/1.1 199 What\r\n\r\n");
        return answers;
    }

    private static String chunked(String body) {
        return "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + body;
    }

    @Test
    void noAnswerIsThatOfAnotherRequest() throws Exception {
        Map<String, String> answers = answers();
        List<String> names = List.copyOf(answers.keySet());
        RawBackend backend = backend(peer -> {
            while (peer.readRequest()) {
                String target = peer.last().target();
                if (target.startsWith("/forged/")) {
                    peer.write(answers.get(names.get(Integer.parseInt(target.substring(8)))) + EVIL);
                } else {
                    peer.write(answer(200, target));
                }
            }
        });
        proxyTo(backend.url());
        SoftAssertions all = new SoftAssertions();
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            // What is wrong with a body of chunks is nothing to who gets none.
            for (String method : name.startsWith("a chunk") ? List.of("GET") : List.of("GET", "HEAD")) {
                String got = ask(method, "/forged/" + i);
                all.assertThat(got).as(method + " " + name).isNotEqualTo("left waiting");
                // What stands before a final answer only announces it: this one is the request's own.
                boolean announced = name.contains("interim");
                if (!announced) {
                    all.assertThat(got).as(method + " " + name).doesNotContain("evil");
                }
                if (got.equals("broken") || got.startsWith("502")) {
                    // Else the same client has asked again.
                    String next = ask("GET", "/next/" + i);
                    all.assertThat(next).as("after " + method + " " + name).isEqualTo("200 /next/" + i);
                }
            }
        }
        all.assertAll();
        awaitNothingInFlight();
    }

    /** What a connection gets whole, or that it was closed. */
    private String ask(String method, String target) throws IOException {
        try (RawClient client = new RawClient(port())) {
            client.socket().setSoTimeout(3_000);
            client.send(method, target);
            RawMessage answer = client.read(method);
            String text = answer.status() + " " + (answer.status() == 502 ? "" : answer.body());
            // Nothing may come behind it, neither now nor with the next request.
            if (!answer.values("Connection").contains("close")) {
                client.send("GET", "/same");
                RawMessage second = client.read("GET");
                assertThat(second.status()).as(method + " " + target).isEqualTo(200);
                assertThat(second.body()).as(method + " " + target).isEqualTo("/same");
            }
            return text;
        } catch (SocketTimeoutException e) {
            return "left waiting";
        } catch (IOException e) {
            return "broken";
        }
    }
}
