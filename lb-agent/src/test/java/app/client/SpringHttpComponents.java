package app.client;

import java.net.URI;
import java.time.Duration;
import org.springframework.http.HttpEntity;
import org.springframework.http.HttpMethod;
import org.springframework.http.ResponseEntity;
import org.springframework.http.client.HttpComponentsClientHttpRequestFactory;
import org.springframework.web.client.RestTemplate;

/** Spring's {@code RestTemplate} over Apache HttpClient 5. It does not show where a redirect led. */
public final class SpringHttpComponents extends Program {
    private final RestTemplate template = new RestTemplate(new HttpComponentsClientHttpRequestFactory());

    private SpringHttpComponents() {}

    /** Starts it. */
    public static void main(String[] args) throws Exception {
        new SpringHttpComponents().run();
    }

    private static RestTemplate limited(int timeoutMillis) {
        HttpComponentsClientHttpRequestFactory factory = new HttpComponentsClientHttpRequestFactory();
        factory.setReadTimeout(Duration.ofMillis(timeoutMillis));
        return new RestTemplate(factory);
    }

    @Override
    protected String call(String method, String url, byte[] body, int timeoutMillis) {
        RestTemplate used = timeoutMillis == 0 ? template : limited(timeoutMillis);
        ResponseEntity<String> response =
                used.exchange(URI.create(url), HttpMethod.valueOf(method), new HttpEntity<Object>(body), String.class);
        return response.getStatusCode().value() + " " + response.getBody() + " " + url;
    }
}
