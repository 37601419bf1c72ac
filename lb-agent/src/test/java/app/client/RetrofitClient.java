package app.client;

import java.util.concurrent.TimeUnit;
import okhttp3.OkHttpClient;
import okhttp3.RequestBody;
import okhttp3.ResponseBody;
import retrofit2.Call;
import retrofit2.Response;
import retrofit2.Retrofit;
import retrofit2.http.Body;
import retrofit2.http.DELETE;
import retrofit2.http.GET;
import retrofit2.http.POST;
import retrofit2.http.PUT;
import retrofit2.http.Url;

/** Retrofit over OkHttp. */
public final class RetrofitClient extends Program {
    private final OkHttpClient transport = new OkHttpClient();
    private final Api api = over(transport);

    private RetrofitClient() {}

    /** Starts it. */
    public static void main(String[] args) throws Exception {
        new RetrofitClient().run();
    }

    private static Api over(OkHttpClient transport) {
        return new Retrofit.Builder()
                .baseUrl("http://unused.invalid/")
                .client(transport)
                .build()
                .create(Api.class);
    }

    @Override
    protected String call(String method, String url, byte[] body, int timeoutMillis) throws Exception {
        Api used = timeoutMillis == 0
                ? api
                : over(transport
                        .newBuilder()
                        .readTimeout(timeoutMillis, TimeUnit.MILLISECONDS)
                        .build());
        Call<ResponseBody> call = send(used, method, url, body);
        abortBy(call::cancel);
        Response<ResponseBody> response = call.execute();
        try (ResponseBody answer = response.body()) {
            return response.code() + " " + answer.string() + " "
                    + response.raw().request().url();
        }
    }

    @SuppressWarnings("deprecation") // The form that all versions have.
    private static Call<ResponseBody> send(Api api, String method, String url, byte[] body) {
        switch (method) {
            case "GET":
                return api.get(url);
            case "DELETE":
                return api.delete(url);
            case "PUT":
                return api.put(url, RequestBody.create(null, body));
            default:
                return api.post(url, RequestBody.create(null, body));
        }
    }

    /** As an application declares it. */
    interface Api {
        @GET
        Call<ResponseBody> get(@Url String url);

        @DELETE
        Call<ResponseBody> delete(@Url String url);

        @PUT
        Call<ResponseBody> put(@Url String url, @Body RequestBody body);

        @POST
        Call<ResponseBody> post(@Url String url, @Body RequestBody body);
    }
}
