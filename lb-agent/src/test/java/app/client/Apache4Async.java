package app.client;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.http.HttpResponse;
import org.apache.http.client.config.RequestConfig;
import org.apache.http.client.methods.HttpUriRequest;
import org.apache.http.client.methods.RequestBuilder;
import org.apache.http.client.protocol.HttpClientContext;
import org.apache.http.client.utils.URIUtils;
import org.apache.http.entity.ByteArrayEntity;
import org.apache.http.impl.nio.client.CloseableHttpAsyncClient;
import org.apache.http.impl.nio.client.HttpAsyncClients;
import org.apache.http.util.EntityUtils;

/** Apache HttpAsyncClient 4. */
public final class Apache4Async extends Program {
    private final CloseableHttpAsyncClient client = HttpAsyncClients.custom().build();

    private Apache4Async() {
        client.start();
    }

    /** Starts it. */
    public static void main(String[] args) throws Exception {
        new Apache4Async().run();
    }

    @Override
    protected String call(String method, String url, byte[] body, int timeoutMillis) throws Exception {
        RequestBuilder builder = RequestBuilder.create(method).setUri(new URI(url));
        if (body != null) {
            builder.setEntity(new ByteArrayEntity(body));
        }
        if (timeoutMillis > 0) {
            builder.setConfig(
                    RequestConfig.custom().setSocketTimeout(timeoutMillis).build());
        }
        HttpUriRequest request = builder.build();
        HttpClientContext context = HttpClientContext.create();
        Future<HttpResponse> future = client.execute(request, context, null);
        abortBy(() -> {
            future.cancel(true);
            // In 4.1 the future alone ends nothing.
            request.abort();
        });
        try {
            HttpResponse response = future.get();
            String text = response.getEntity() == null
                    ? ""
                    : EntityUtils.toString(response.getEntity(), StandardCharsets.UTF_8);
            List<URI> redirects = context.getRedirectLocations();
            return response.getStatusLine().getStatusCode() + " " + text + " "
                    + URIUtils.resolve(request.getURI(), context.getTargetHost(), redirects);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception ? (Exception) e.getCause() : e;
        }
    }
}
