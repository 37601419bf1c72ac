package app.client;

import com.google.api.client.http.ByteArrayContent;
import com.google.api.client.http.GenericUrl;
import com.google.api.client.http.HttpRequest;
import com.google.api.client.http.HttpRequestFactory;
import com.google.api.client.http.HttpResponse;
import com.google.api.client.http.javanet.NetHttpTransport;
import java.net.URL;

/** Google's HTTP client over {@code NetHttpTransport}, which is {@code HttpURLConnection}. */
public final class GoogleHttp extends Program {
    private final HttpRequestFactory factory = new NetHttpTransport().createRequestFactory();

    private GoogleHttp() {}

    /** Starts it. */
    public static void main(String[] args) throws Exception {
        new GoogleHttp().run();
    }

    @Override
    protected String call(String method, String url, byte[] body, int timeoutMillis) throws Exception {
        HttpRequest request = factory.buildRequest(
                method,
                new GenericUrl(new URL(url), true),
                body == null ? null : new ByteArrayContent("application/octet-stream", body));
        if (timeoutMillis > 0) {
            request.setReadTimeout(timeoutMillis);
        }
        HttpResponse response = request.execute();
        try {
            return response.getStatusCode() + " " + response.parseAsString() + " "
                    + response.getRequest().getUrl().build();
        } finally {
            response.disconnect();
        }
    }
}
