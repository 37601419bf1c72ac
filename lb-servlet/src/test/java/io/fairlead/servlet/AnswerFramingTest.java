package io.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.servlet.containers.Container;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.http.MetaData;
import org.eclipse.jetty.http2.api.Stream;
import org.eclipse.jetty.http2.frames.DataFrame;
import org.eclipse.jetty.http2.frames.HeadersFrame;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers whose framing does not fit them (RFC 9110, 6.4.1 and 8.6; RFC 9112, 6). */
final class AnswerFramingTest extends ContainerTest {
    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(ints = {204, 205, 304})
    void aBodyThatAStatusNeverHasIsNotPassedOn(int status) throws Exception {
        RawBackend backend = backend(peer -> {
            while (peer.readRequest()) {
                String body = status == 304 ? "" : "hello";
                peer.write(head(status) + "Content-Length: 5\r\n\r\n" + body);
            }
        });
        proxy(logged(backend.url()));

        askTwice(status);
    }

    @ParameterizedTest
    @ValueSource(ints = {204, 205})
    void norDoesItPassWhereHttp2HasFramedIt(int status) throws Exception {
        Http2Streams backend = closing(new Http2Streams((stream, head, number) -> {
            HttpFields fields = HttpFields.build().add("Content-Length", "5");
            MetaData.Response response = new MetaData.Response(status, null, HttpVersion.HTTP_2, fields);
            stream.headers(new HeadersFrame(stream.getId(), response, null, false), Callback.from(() -> hello(stream)));
        }));
        proxy(logged(backend.url()));

        askTwice(status);
    }

    private static void hello(Stream stream) {
        stream.data(new DataFrame(stream.getId(), BufferUtil.toBuffer("hello"), true), Callback.NOOP);
    }

    private void askTwice(int status) throws Exception {
        RawClient client = client();
        for (int i = 0; i < 2; i++) {
            RawMessage answer = client.get("/");
            assertThat(answer.status()).isEqualTo(status);
            assertThat(answer.body()).isEmpty();
            assertThat(answer.values("Transfer-Encoding")).isEmpty();
            List<String> lengths = answer.values("Content-Length");
            switch (status) {
                case 204 -> assertThat(lengths).isEmpty();
                case 205 -> assertThat(lengths).containsExactly("0");
                // Tomcat leaves it out.
                default -> assertThat(lengths).isEqualTo(Container.isTomcat() ? List.of() : List.of("5"));
            }
        }
        awaitNothingInFlight();
        stopProxy();
        assertThat(client.in().readAllBytes()).isEmpty();
        assertThat(Files.readAllLines(log()))
                .hasSize(2)
                .allSatisfy(line -> assertThat(line)
                        .contains("\"DownstreamStatus\":" + status, "\"DownstreamContentSize\":0", "\"complete\""));
    }

    private Path log() {
        return directory.resolve("access.log");
    }

    private String logged(String url) {
        return """
                http:
                  accessLog: {filePath: "%s", format: json}
                  services: {orders: {loadBalancer: {servers: [{url: "%s"}]}}}
                """.formatted(log(), url);
    }

    @Test
    void aStatusWithoutABodyThatAHookSetsTakesTheLengthAway() throws Exception {
        RawBackend backend = backend(head(200) + "Content-Length: 5\r\n\r\n");
        proxy(
                ContainerTest.service("orders", "", backend.url()),
                request -> request.onAnswer(answer -> answer.setStatus(204)));

        RawClient client = client();
        for (int i = 0; i < 2; i++) {
            RawMessage answer = client.exchange("HEAD", "/", "");
            assertThat(answer.status()).isEqualTo(204);
            assertThat(answer.values("Content-Length")).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Transfer-Encoding: gzip, chunked",
                "Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked",
                "Transfer-Encoding: gzip"
            })
    void aTransferCodingThatWouldHaveToBeUndoneIs502(String coding) throws Exception {
        RawBackend backend = backend(peer -> {
            while (peer.readRequest()) {
                peer.write(
                        peer.last().target().equals("/coded")
                                ? head(200, coding) + "\r\n3\r\nabc\r\n0\r\n\r\n"
                                : answer(200, "plain"));
            }
        });
        proxyTo(backend.url());

        RawClient client = client();
        assertThat(client.get("/coded").status()).isEqualTo(502);
        assertThat(client.get("/").body()).isEqualTo("plain");
        assertThat(backend.connections()).isEqualTo(2);
        awaitNothingInFlight();
    }
}
