package app.client;

import static org.asynchttpclient.Dsl.asyncHttpClient;
import static org.asynchttpclient.Dsl.config;

import org.asynchttpclient.AsyncHttpClient;
import org.asynchttpclient.ListenableFuture;
import org.asynchttpclient.RequestBuilder;
import org.asynchttpclient.Response;

/** AsyncHttpClient. */
public final class AsyncHttp extends Program {
    private final AsyncHttpClient client = asyncHttpClient(config().setFollowRedirect(true));

    private AsyncHttp() {}

    /** Starts it. */
    public static void main(String[] args) throws Exception {
        new AsyncHttp().run();
    }

    @Override
    protected String call(String method, String url, byte[] body, int timeoutMillis) throws Exception {
        RequestBuilder builder = new RequestBuilder(method, true).setUrl(url);
        if (body != null) {
            builder.setBody(body);
        }
        if (timeoutMillis > 0) {
            timeout(builder, timeoutMillis);
        }
        ListenableFuture<Response> future = client.executeRequest(builder.build());
        abortBy(() -> future.cancel(true));
        Response response = future.get();
        return response.getStatusCode() + " " + response.getResponseBody() + " " + response.getUri();
    }

    /** In milliseconds in version 2, a duration in version 3. */
    private static void timeout(RequestBuilder builder, int millis) throws ReflectiveOperationException {
        try {
            builder.getClass().getMethod("setReadTimeout", int.class).invoke(builder, millis);
        } catch (NoSuchMethodException e) {
            builder.getClass()
                    .getMethod("setReadTimeout", java.time.Duration.class)
                    .invoke(builder, java.time.Duration.ofMillis(millis));
        }
    }
}
