package io.fairlead.benchmarks.proxy;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Asks the {@link Origin}, past the proxies or through one, a request at a time. */
final class OriginClient {
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final int originPort;

    OriginClient(int originPort) {
        this.originPort = originPort;
    }

    /**
     * What the server has seen.
     *
     * @param requests all but those for the counts
     * @param uploaded bytes of bodies
     * @param waiting requests that are not answered yet
     */
    record Counts(long requests, long uploaded, long waiting) {}

    Counts counts() throws IOException, InterruptedException {
        String[] counts = get(originPort, "/counts").split(" ", -1);
        return new Counts(Long.parseLong(counts[0]), Long.parseLong(counts[1]), Long.parseLong(counts[2]));
    }

    /** Lets all be answered that wait. */
    void release() throws IOException, InterruptedException {
        get(originPort, "/release");
    }

    private String get(int port, String path) throws IOException, InterruptedException {
        HttpResponse<byte[]> answer = client.send(request(port, path).build(), BodyHandlers.ofByteArray());
        if (answer.statusCode() != 200) {
            throw new IOException("GET " + path + " was answered with " + answer.statusCode());
        }
        return new String(answer.body(), StandardCharsets.US_ASCII);
    }

    /** Asks once, and compares the answer byte by byte. */
    void verify(ProxyProcess proxy, Case what) throws IOException, InterruptedException {
        HttpRequest.Builder request = request(proxy.port(), what.path());
        if (what.requestBytes() > 0) {
            request.POST(BodyPublishers.ofByteArray(new byte[what.requestBytes()]));
        }
        long before = counts().uploaded();
        HttpResponse<byte[]> answer = client.send(request.build(), BodyHandlers.ofByteArray());
        byte[] body = answer.body();
        boolean right = answer.statusCode() == 200
                && body.length == what.answerBytes()
                // Or more: what the load before has left under way may still come.
                && counts().uploaded() - before >= what.requestBytes();
        for (int i = 0; i < body.length && what.requestBytes() == 0; i++) {
            right &= body[i] == 'a' + i % 26;
        }
        if (!right) {
            throw new IOException("the answer to a " + what.title() + " is not the server's: status "
                    + answer.statusCode() + ", " + body.length + " bytes");
        }
    }

    private static HttpRequest.Builder request(int port, String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(Duration.ofSeconds(10));
    }
}
