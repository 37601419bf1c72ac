package app.client;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpMethod;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;

/** Reactor Netty. */
public final class ReactorNetty extends Program {
    private final HttpClient client = HttpClient.create().followRedirect(true);

    private ReactorNetty() {}

    /** Starts it. */
    public static void main(String[] args) throws Exception {
        new ReactorNetty().run();
    }

    @Override
    protected String call(String method, String url, byte[] body, int timeoutMillis) throws Exception {
        HttpClient used = timeoutMillis == 0 ? client : client.responseTimeout(Duration.ofMillis(timeoutMillis));
        CompletableFuture<String> future = used.request(HttpMethod.valueOf(method))
                .uri(url)
                .send(body == null ? Flux.empty() : Mono.fromSupplier(() -> Unpooled.wrappedBuffer(body)))
                .responseSingle((response, content) -> content.asString()
                        .defaultIfEmpty("")
                        .map(text -> response.status().code() + " " + text + " " + response.resourceUrl()))
                .toFuture();
        abortBy(() -> future.cancel(true));
        return future.get();
    }
}
