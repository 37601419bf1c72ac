package app.client;

import java.net.URI;
import java.time.Duration;
import org.springframework.http.HttpEntity;
import org.springframework.http.HttpMethod;
import org.springframework.http.ResponseEntity;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.SimpleClientHttpRequestFactory;
import org.springframework.web.client.RestTemplate;

/** Spring's {@code RestTemplate} over {@code HttpURLConnection}. It does not show where a redirect led. */
public final class SpringRestTemplate extends Program {
    private final RestTemplate template = new RestTemplate(factory(0));

    private SpringRestTemplate() {}

    /** Starts it. */
    public static void main(String[] args) throws Exception {
        new SpringRestTemplate().run();
    }

    private static ClientHttpRequestFactory factory(int timeoutMillis) {
        SimpleClientHttpRequestFactory factory = new SimpleClientHttpRequestFactory();
        factory.setReadTimeout(Duration.ofMillis(timeoutMillis));
        return factory;
    }

    @Override
    protected String call(String method, String url, byte[] body, int timeoutMillis) {
        RestTemplate used = timeoutMillis == 0 ? template : new RestTemplate(factory(timeoutMillis));
        ResponseEntity<String> response =
                used.exchange(URI.create(url), HttpMethod.valueOf(method), new HttpEntity<Object>(body), String.class);
        return response.getStatusCode().value() + " " + response.getBody() + " " + url;
    }
}
