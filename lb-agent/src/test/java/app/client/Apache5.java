package app.client;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.client5.http.protocol.RedirectLocations;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.io.entity.EntityUtils;

/** Apache HttpClient 5, classic. */
public final class Apache5 extends Program {
    private final CloseableHttpClient client;

    private Apache5() {
        PoolingHttpClientConnectionManager connections = new PoolingHttpClientConnectionManager();
        connections.setDefaultMaxPerRoute(20);
        connections.setMaxTotal(100);
        client = HttpClients.custom().setConnectionManager(connections).build();
    }

    /** Starts it. */
    public static void main(String[] args) throws Exception {
        new Apache5().run();
    }

    @Override
    protected String call(String method, String url, byte[] body, int timeoutMillis) throws Exception {
        HttpUriRequestBase request = new HttpUriRequestBase(method, new URI(url));
        if (body != null) {
            request.setEntity(new ByteArrayEntity(body, ContentType.APPLICATION_OCTET_STREAM));
        }
        if (timeoutMillis > 0) {
            request.setConfig(RequestConfig.custom()
                    .setResponseTimeout(timeoutMillis, TimeUnit.MILLISECONDS)
                    .build());
        }
        abortBy(request::cancel);
        HttpClientContext context = HttpClientContext.create();
        return client.execute(request, context, response -> {
            String text = response.getEntity() == null
                    ? ""
                    : EntityUtils.toString(response.getEntity(), StandardCharsets.UTF_8);
            RedirectLocations redirects = context.getRedirectLocations();
            boolean moved = redirects != null && redirects.size() > 0;
            return response.getCode() + " " + text + " " + (moved ? redirects.get(redirects.size() - 1) : url);
        });
    }
}
