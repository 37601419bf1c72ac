package app.client;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.client.HttpRequest;
import io.vertx.ext.web.client.HttpResponse;
import io.vertx.ext.web.client.WebClient;
import java.net.URI;
import java.util.List;

/** Vert.x' {@code WebClient}, which has no way to give a call up. */
public final class VertxWeb extends Program {
    private final WebClient client = WebClient.create(Vertx.vertx());

    private VertxWeb() {}

    /** Starts it. */
    public static void main(String[] args) throws Exception {
        new VertxWeb().run();
    }

    @Override
    protected String call(String method, String url, byte[] body, int timeoutMillis) throws Exception {
        HttpRequest<Buffer> request = client.requestAbs(HttpMethod.valueOf(method), url);
        if (timeoutMillis > 0) {
            request.timeout(timeoutMillis);
        }
        Future<HttpResponse<Buffer>> sent = body == null ? request.send() : request.sendBuffer(Buffer.buffer(body));
        HttpResponse<Buffer> response =
                sent.toCompletionStage().toCompletableFuture().get();
        String text = response.bodyAsString();
        return response.statusCode() + " " + (text == null ? "" : text) + " " + led(url, response.followedRedirects());
    }

    /** Each as its answer's field said it. */
    private static String led(String url, List<String> redirects) {
        String last = url;
        for (String location : redirects) {
            last = URI.create(last).resolve(location).toString();
        }
        return last;
    }
}
