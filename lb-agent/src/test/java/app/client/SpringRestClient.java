package app.client;

import java.net.URI;
import java.time.Duration;
import org.springframework.http.HttpMethod;
import org.springframework.http.ResponseEntity;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.web.client.RestClient;

/** Spring's {@code RestClient} over {@code java.net.http}. It does not show where a redirect led. */
public final class SpringRestClient extends Program {
    private final RestClient client = limited(60000);

    private SpringRestClient() throws Exception {}

    /** Starts it. */
    public static void main(String[] args) throws Exception {
        new SpringRestClient().run();
    }

    /** By reflection where the JDK's classes are named, since this must compile for Java 8 too. */
    private static RestClient limited(int timeoutMillis) throws ReflectiveOperationException {
        Class<?> clientType = Class.forName("java.net.http.HttpClient");
        Class<?> builderType = Class.forName("java.net.http.HttpClient$Builder");
        Class<?> redirectType = Class.forName("java.net.http.HttpClient$Redirect");
        Object builder = clientType.getMethod("newBuilder").invoke(null);
        builderType
                .getMethod("followRedirects", redirectType)
                .invoke(builder, redirectType.getField("NORMAL").get(null));
        JdkClientHttpRequestFactory factory = JdkClientHttpRequestFactory.class
                .getConstructor(clientType)
                .newInstance(builderType.getMethod("build").invoke(builder));
        factory.setReadTimeout(Duration.ofMillis(timeoutMillis));
        return RestClient.builder().requestFactory(factory).build();
    }

    @Override
    protected String call(String method, String url, byte[] body, int timeoutMillis) throws Exception {
        RestClient used = timeoutMillis == 0 ? client : limited(timeoutMillis);
        RestClient.RequestBodySpec request =
                used.method(HttpMethod.valueOf(method)).uri(URI.create(url));
        if (body != null) {
            request.body(body);
        }
        ResponseEntity<String> response = request.retrieve().toEntity(String.class);
        return response.getStatusCode().value() + " " + response.getBody() + " " + url;
    }
}
