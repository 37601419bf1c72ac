package app.client;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;

/** Vert.x' {@code HttpClient}. */
public final class VertxHttp extends Program {
    private final HttpClient client;

    private VertxHttp() throws ReflectiveOperationException {
        // Of another type in each version.
        client = (HttpClient) Vertx.class.getMethod("createHttpClient").invoke(Vertx.vertx());
    }

    /** Starts it. */
    public static void main(String[] args) throws Exception {
        new VertxHttp().run();
    }

    @Override
    protected String call(String method, String url, byte[] body, int timeoutMillis) throws Exception {
        RequestOptions options = new RequestOptions()
                .setMethod(HttpMethod.valueOf(method))
                .setAbsoluteURI(url)
                .setFollowRedirects(true);
        if (timeoutMillis > 0) {
            options.setTimeout(timeoutMillis);
        }
        Future<String> answer = client.request(options).compose(request -> {
            abortBy(() -> reset(request));
            Future<HttpClientResponse> sent = body == null ? request.send() : request.send(Buffer.buffer(body));
            return sent.compose(response -> response.body()
                    .map(text -> response.statusCode() + " " + text + " "
                            + response.request().absoluteURI()));
        });
        return answer.toCompletionStage().toCompletableFuture().get();
    }

    /** Its answer is another in each version. */
    private static void reset(HttpClientRequest request) {
        try {
            HttpClientRequest.class.getMethod("reset").invoke(request);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
