package app.client;

import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.springframework.http.HttpMethod;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.netty.http.client.HttpClient;

/** Spring's {@code WebClient} over Reactor Netty. It does not show where a redirect led. */
public final class SpringWebClient extends Program {
    private final HttpClient transport = HttpClient.create().followRedirect(true);
    private final WebClient client = over(transport);

    private SpringWebClient() {}

    /** Starts it. */
    public static void main(String[] args) throws Exception {
        new SpringWebClient().run();
    }

    private static WebClient over(HttpClient transport) {
        return WebClient.builder()
                .clientConnector(new ReactorClientHttpConnector(transport))
                .build();
    }

    @Override
    protected String call(String method, String url, byte[] body, int timeoutMillis) throws Exception {
        WebClient used =
                timeoutMillis == 0 ? client : over(transport.responseTimeout(Duration.ofMillis(timeoutMillis)));
        WebClient.RequestBodySpec request =
                used.method(HttpMethod.valueOf(method)).uri(URI.create(url));
        if (body != null) {
            request.bodyValue(body);
        }
        CompletableFuture<String> future = request.retrieve()
                .toEntity(String.class)
                .map(response -> response.getStatusCode().value() + " " + response.getBody() + " " + url)
                .toFuture();
        abortBy(() -> future.cancel(true));
        return future.get();
    }
}
