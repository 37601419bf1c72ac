package app.client;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.http.HttpHost;
import org.apache.http.client.config.RequestConfig;
import org.apache.http.client.methods.CloseableHttpResponse;
import org.apache.http.client.methods.HttpUriRequest;
import org.apache.http.client.methods.RequestBuilder;
import org.apache.http.client.protocol.HttpClientContext;
import org.apache.http.client.utils.URIUtils;
import org.apache.http.entity.ByteArrayEntity;
import org.apache.http.impl.client.CloseableHttpClient;
import org.apache.http.impl.client.HttpClients;
import org.apache.http.util.EntityUtils;

/** Apache HttpClient 4. */
public final class Apache4 extends Program {
    private final CloseableHttpClient client =
            HttpClients.custom().setMaxConnPerRoute(20).setMaxConnTotal(100).build();

    private Apache4() {}

    /** Starts it. */
    public static void main(String[] args) throws Exception {
        new Apache4().run();
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
        abortBy(request::abort);
        HttpClientContext context = HttpClientContext.create();
        try (CloseableHttpResponse response = client.execute(request, context)) {
            String text = response.getEntity() == null
                    ? ""
                    : EntityUtils.toString(response.getEntity(), StandardCharsets.UTF_8);
            HttpHost target = context.getTargetHost();
            List<URI> redirects = context.getRedirectLocations();
            return response.getStatusLine().getStatusCode() + " " + text + " "
                    + URIUtils.resolve(request.getURI(), target, redirects);
        }
    }
}
