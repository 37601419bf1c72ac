package app.client;

import org.apache.http.client.methods.CloseableHttpResponse;
import org.apache.http.client.methods.HttpUriRequest;
import org.apache.http.client.protocol.HttpClientContext;
import org.apache.http.impl.client.CloseableHttpClient;
import org.apache.http.impl.client.HttpClients;

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
        HttpUriRequest request = Apache4Calls.request(method, url, body, timeoutMillis);
        abortBy(request::abort);
        HttpClientContext context = HttpClientContext.create();
        try (CloseableHttpResponse response = client.execute(request, context)) {
            return Apache4Calls.answer(request, response, context);
        }
    }
}
