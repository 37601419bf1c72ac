package io.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http2.ErrorCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Answers over HTTP/2 that come before the request's end. After a complete one the client is asked to stop without an
 * error (RFC 9113, 8.1): any other code makes clients throw the answer away.
 */
final class EarlyHttp2AnswersTest extends ContainerTest {
    private static final String LARGE = "x".repeat(50_000);

    private Http2Call upload(HttpFields fields) throws Exception {
        return upload("/", fields);
    }

    private Http2Call upload(String path, HttpFields fields) throws Exception {
        Http2Call upload = closing(Http2Call.post(port(), path, fields));
        upload.send(100);
        return upload;
    }

    /** Else the connection would be reset, and the answer lost with it. */
    private static void readOff(RawBackend.Peer peer) throws IOException {
        while (peer.in().read() >= 0) {
            // Thrown away.
        }
    }

    private static void assertAnsweredWithoutError(Http2Call upload, int status) {
        upload.awaitAnswer();
        assertThat(upload.isAnswered()).as("the answer is whole").isTrue();
        assertThat(upload.status()).isEqualTo(status);
        upload.sendUntilReset();
        assertThat(upload.reset()).isEqualTo(ErrorCode.NO_ERROR.code);
    }

    @ParameterizedTest
    @ValueSource(ints = {5, 50_000})
    void aServersAnswerIsWholeAndTheUploadEndsWithoutError(int length) throws Exception {
        String answer = "x".repeat(length);
        RawBackend backend = backend(peer -> {
            peer.readHead();
            peer.write(answer(413, answer));
            readOff(peer);
        });
        proxyTo(backend.url());

        Http2Call upload = upload(HttpFields.EMPTY);

        assertAnsweredWithoutError(upload, 413);
        assertThat(upload.body()).isEqualTo(answer);
        awaitNothingInFlight();
    }

    /** The end of a body whose length is said may come by itself, after its last byte and after the answer. */
    @Test
    void anAnswerBetweenTheLastByteAndTheEndIsNotFollowedByAnError() throws Exception {
        proxyTo(backend(answer(200, "yes")).url());
        Http2Call upload =
                closing(Http2Call.post(port(), "/", HttpFields.build().put(HttpHeader.CONTENT_LENGTH, 5)));

        upload.send(5);

        upload.awaitAnswer();
        assertThat(upload.body()).isEqualTo("yes");
        Awaitility.await().pollInterval(Duration.ofMillis(5)).until(() -> upload.reset() != null);
        assertThat(upload.reset()).isEqualTo(ErrorCode.NO_ERROR.code);
        awaitNothingInFlight();
    }

    @Test
    void aServersAnswerInChunksIsWhole() throws Exception {
        RawBackend backend = backend(peer -> {
            peer.readHead();
            peer.write(head(422) + "Transfer-Encoding: chunked\r\n\r\n3\r\nbad\r\n0\r\n\r\n");
            readOff(peer);
        });
        proxyTo(backend.url());

        Http2Call upload = upload(HttpFields.EMPTY);

        assertAnsweredWithoutError(upload, 422);
        assertThat(upload.body()).isEqualTo("bad");
    }

    @Test
    void aRefusalBeforeAServerIsChosenIsWhole() throws Exception {
        proxy(service("orders", "", "http://127.0.0.1:1").replace("{url:", "{fenced: true, url:"));

        assertAnsweredWithoutError(upload(HttpFields.EMPTY), 503);
    }

    @Test
    void anAnswerInPlaceOfAServerThatCannotBeReachedIsWhole() throws Exception {
        proxyTo("http://127.0.0.1:" + RawBackend.refusedPort());

        assertAnsweredWithoutError(upload(HttpFields.EMPTY), 502);
    }

    @Test
    void aRefusalOfTheTargetIsWhole() throws Exception {
        proxyTo("http://127.0.0.1:1");

        Http2Call upload = upload("/a/..%2f..%2fsecret", HttpFields.build().put(HttpHeader.CONTENT_LENGTH, 1_000_000));

        assertAnsweredWithoutError(upload, 400);
    }

    @Test
    void aBodyThatTurnsOutTooLongIsRefusedInAWholeAnswer() throws Exception {
        RawBackend backend = backend(peer -> {
            peer.readHead();
            readOff(peer);
        });
        proxy(through(backend.url(), "small: {buffering: {maxRequestBodyBytes: 1000}}"));

        Http2Call upload = upload(HttpFields.EMPTY);
        upload.send(2_000);

        assertAnsweredWithoutError(upload, 413);
        awaitNothingInFlight();
    }

    @Test
    void aClientThatEndsItsBodyAfterTheAnswerIsNotReset() throws Exception {
        RawBackend backend = backend(peer -> {
            peer.readHead();
            peer.write(answer(413, "large"));
            readOff(peer);
        });
        proxyTo(backend.url());
        Http2Call upload = upload(HttpFields.EMPTY);
        upload.awaitAnswer();

        upload.end();

        awaitNothingInFlight();
        assertThat(upload.reset()).isIn(null, ErrorCode.NO_ERROR.code);
    }

    @Test
    void theClientOfTheJdkGetsTheAnswerInTheMiddleOfASlowUpload() throws Exception {
        RawBackend backend = backend(peer -> {
            peer.readRequest();
            peer.write(answer(200, ""));
            peer.readHead();
            peer.in().readNBytes(100);
            peer.write(answer(413, LARGE));
            readOff(peer);
        });
        proxyTo(backend.url());
        HttpClient client = HttpClient.newHttpClient();
        URI uri = URI.create("http://127.0.0.1:" + port() + "/");
        assertThat(client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
                        .version())
                .isEqualTo(HttpClient.Version.HTTP_2);

        SubmissionPublisher<ByteBuffer> body = closing(new SubmissionPublisher<>());
        CompletableFuture<HttpResponse<String>> answer = client.sendAsync(
                HttpRequest.newBuilder(uri)
                        .POST(BodyPublishers.fromPublisher(body))
                        .timeout(Duration.ofSeconds(10))
                        .build(),
                BodyHandlers.ofString());
        for (int i = 0; i < 50 && !answer.isDone(); i++) {
            body.offer(ByteBuffer.allocate(50), 10, TimeUnit.MILLISECONDS, null);
            await(answer);
        }

        // This client takes no answer before its body is out, whatever it is told.
        body.close();
        assertThat(answer.get().statusCode()).isEqualTo(413);
        assertThat(answer.get().body()).isEqualTo(LARGE);
        awaitNothingInFlight();
    }

    /** A client's pace: a piece each 5 ms. */
    private static void await(CompletableFuture<?> answer) throws IOException {
        try {
            answer.get(5, TimeUnit.MILLISECONDS);
        } catch (java.util.concurrent.TimeoutException e) {
            // The next piece.
        } catch (InterruptedException | java.util.concurrent.ExecutionException e) {
            throw new IOException(e);
        }
    }
}
