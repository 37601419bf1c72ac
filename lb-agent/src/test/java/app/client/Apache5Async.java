package app.client;

import java.util.concurrent.ExecutionException;
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

    Apache5Async(CloseableHttpAsyncClient client) {
        this.client = client;
        client.start();
    }

    /** Starts it. */
    public static void main(String[] args) throws Exception {
        new Apache5Async(HttpAsyncClients.custom().build()).run();
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
        Future<SimpleHttpResponse> future = client.execute(request, context, null);
        abortBy(() -> future.cancel(true));
        try {
            SimpleHttpResponse response = future.get();
            String text = response.getBodyText();
            RedirectLocations redirects = context.getRedirectLocations();
            boolean moved = redirects != null && redirects.size() > 0;
            return response.getCode() + " " + (text == null ? "" : text) + " "
                    + (moved ? redirects.get(redirects.size() - 1) : url);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception ? (Exception) e.getCause() : e;
        }
    }
}
