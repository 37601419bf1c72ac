package app.client;

import java.util.concurrent.TimeUnit;
import okhttp3.Call;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;

/** OkHttp. */
public final class OkHttp extends Program {
    private final OkHttpClient client = new OkHttpClient();

    private OkHttp() {}

    /** Starts it. */
    public static void main(String[] args) throws Exception {
        new OkHttp().run();
    }

    @Override
    @SuppressWarnings("deprecation") // The form that all versions have.
    protected String call(String method, String url, byte[] body, int timeoutMillis) throws Exception {
        OkHttpClient used = timeoutMillis == 0
                ? client
                : client.newBuilder()
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
