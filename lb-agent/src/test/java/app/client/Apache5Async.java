package app.client;

import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hc.client5.http.async.methods.SimpleHttpRequest;
import org.apache.hc.client5.http.async.methods.SimpleHttpResponse;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.async.CloseableHttpAsyncClient;
import org.apache.hc.client5.http.impl.async.HttpAsyncClients;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.client5.http.protocol.RedirectLocations;
import org.apache.hc.core5.http.ContentType;

/** Apache HttpClient 5, asynchronous. */
public class Apache5Async extends Program {
    private final CloseableHttpAsyncClient client;
    private final CloseableHttpAsyncClient clear;

    /** By the URL's scheme: over TLS, and in clear text. */
    Apache5Async(CloseableHttpAsyncClient client, CloseableHttpAsyncClient clear) {
        this.client = client;
        this.clear = clear;
        client.start();
        clear.start();
    }

    /** Starts it. */
    public static void main(String[] args) throws Exception {
        CloseableHttpAsyncClient client = HttpAsyncClients.custom().build();
        new Apache5Async(client, client).run();
    }

    @Override
    protected String call(String method, String url, byte[] body, int timeoutMillis) throws Exception {
        SimpleHttpRequest request = new SimpleHttpRequest(method, java.net.URI.create(url));
        if (body != null) {
            request.setBody(body, ContentType.APPLICATION_OCTET_STREAM);
        }
        if (timeoutMillis > 0) {
            request.setConfig(RequestConfig.custom()
                    .setResponseTimeout(timeoutMillis, TimeUnit.MILLISECONDS)
                    .build());
        }
        HttpClientContext context = HttpClientContext.create();
        CloseableHttpAsyncClient chosen = url.startsWith("https:") ? client : clear;
        Future<SimpleHttpResponse> future = chosen.execute(request, context, null);
        abortBy(() -> future.cancel(true));
        SimpleHttpResponse response = future.get();
        String text = response.getBodyText();
        RedirectLocations redirects = context.getRedirectLocations();
        boolean moved = redirects != null && redirects.size() > 0;
        return response.getCode() + " " + (text == null ? "" : text) + " "
                + (moved ? redirects.get(redirects.size() - 1) : url);
    }
}
