package app.client;

import java.util.concurrent.Future;
import org.apache.http.HttpResponse;
import org.apache.http.client.methods.HttpUriRequest;
import org.apache.http.client.protocol.HttpClientContext;
import org.apache.http.impl.nio.client.CloseableHttpAsyncClient;
import org.apache.http.impl.nio.client.HttpAsyncClients;

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
        HttpUriRequest request = Apache4Calls.request(method, url, body, timeoutMillis);
        HttpClientContext context = HttpClientContext.create();
        Future<HttpResponse> future = client.execute(request, context, null);
        abortBy(() -> {
            future.cancel(true);
            // In 4.1 the future alone ends nothing.
            request.abort();
        });
        return Apache4Calls.answer(request, future.get(), context);
    }
}
