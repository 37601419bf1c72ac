package app.client;

import java.util.concurrent.TimeUnit;
import okhttp3.Call;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;

/** OkHttp. */
public class OkHttp extends Program {
    private final OkHttpClient client;
    private final OkHttpClient clear;

    /** By the URL's scheme: over TLS, and in clear text. */
    OkHttp(OkHttpClient client, OkHttpClient clear) {
        this.client = client;
        this.clear = clear;
    }

    /** Starts it. */
    public static void main(String[] args) throws Exception {
        OkHttpClient client = new OkHttpClient();
        new OkHttp(client, client).run();
    }

    @Override
    @SuppressWarnings("deprecation") // The form that all versions have.
    protected String call(String method, String url, byte[] body, int timeoutMillis) throws Exception {
        OkHttpClient chosen = url.startsWith("https:") ? client : clear;
        OkHttpClient used = timeoutMillis == 0
                ? chosen
                : chosen.newBuilder()
                        .readTimeout(timeoutMillis, TimeUnit.MILLISECONDS)
                        .build();
        Request request = new Request.Builder()
                .url(url)
                .method(method, body == null ? null : RequestBody.create(null, body))
                .build();
        Call call = used.newCall(request);
        abortBy(call::cancel);
        try (Response response = call.execute()) {
            return response.code() + " " + response.body().string() + " "
                    + response.request().url();
        }
    }
}
