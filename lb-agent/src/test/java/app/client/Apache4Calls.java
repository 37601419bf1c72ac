package app.client;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.apache.http.HttpResponse;
import org.apache.http.client.config.RequestConfig;
import org.apache.http.client.methods.HttpUriRequest;
import org.apache.http.client.methods.RequestBuilder;
import org.apache.http.client.protocol.HttpClientContext;
import org.apache.http.client.utils.URIUtils;
import org.apache.http.entity.ByteArrayEntity;
import org.apache.http.util.EntityUtils;

/** What is the same for the blocking client 4 and the other. */
final class Apache4Calls {
    private Apache4Calls() {}

    static HttpUriRequest request(String method, String url, byte[] body, int timeoutMillis) {
        RequestBuilder builder = RequestBuilder.create(method).setUri(URI.create(url));
        if (body != null) {
            builder.setEntity(new ByteArrayEntity(body));
        }
        if (timeoutMillis > 0) {
            builder.setConfig(
                    RequestConfig.custom().setSocketTimeout(timeoutMillis).build());
        }
        return builder.build();
    }

    static String answer(HttpUriRequest request, HttpResponse response, HttpClientContext context) throws Exception {
        return response.getStatusLine().getStatusCode() + " " + text(response) + " "
                + URIUtils.resolve(request.getURI(), context.getTargetHost(), context.getRedirectLocations());
    }

    private static String text(HttpResponse response) throws IOException {
        return response.getEntity() == null ? "" : EntityUtils.toString(response.getEntity(), StandardCharsets.UTF_8);
    }
}
