package app.client;

import jakarta.ws.rs.client.Client;
import jakarta.ws.rs.client.ClientBuilder;
import jakarta.ws.rs.client.Entity;
import jakarta.ws.rs.client.Invocation;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.net.URI;
import java.util.concurrent.TimeUnit;

/** The Jersey client over its own connector, which is {@code HttpURLConnection}. It does not show where a redirect led. */
public final class Jersey extends Program {
    private final Client client = ClientBuilder.newClient();

    private Jersey() {}

    /** Starts it. */
    public static void main(String[] args) throws Exception {
        new Jersey().run();
    }

    @Override
    protected String call(String method, String url, byte[] body, int timeoutMillis) {
        Client used = timeoutMillis == 0
                ? client
                : ClientBuilder.newBuilder()
                        .readTimeout(timeoutMillis, TimeUnit.MILLISECONDS)
                        .build();
        Invocation.Builder request = used.target(URI.create(url)).request();
        Invocation invocation = body == null
                ? request.build(method)
                : request.build(method, Entity.entity(body, MediaType.APPLICATION_OCTET_STREAM_TYPE));
        try (Response response = invocation.invoke()) {
            return response.getStatus() + " " + response.readEntity(String.class) + " " + url;
        }
    }
}
