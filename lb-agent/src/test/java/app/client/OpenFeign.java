package app.client;

import feign.Feign;
import feign.Request;
import feign.RequestLine;
import feign.Response;
import feign.Retryer;
import feign.Util;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** OpenFeign over its own client, which is {@code HttpURLConnection}. It does not show where a redirect led. */
public final class OpenFeign extends Program {
    private final Api api = api(60000);

    private OpenFeign() {}

    /** Starts it. */
    public static void main(String[] args) throws Exception {
        new OpenFeign().run();
    }

    /** Feign's own retries would hide what is to be seen. */
    private static Api api(int timeoutMillis) {
        return Feign.builder()
                .retryer(Retryer.NEVER_RETRY)
                .options(new Request.Options(60, TimeUnit.SECONDS, timeoutMillis, TimeUnit.MILLISECONDS, true))
                .target(feign.Target.EmptyTarget.create(Api.class));
    }

    @Override
    protected String call(String method, String url, byte[] body, int timeoutMillis) throws Exception {
        Api used = timeoutMillis == 0 ? api : api(timeoutMillis);
        URI uri = URI.create(url);
        try (Response response = send(used, method, uri, body)) {
            String text =
                    response.body() == null ? "" : Util.toString(response.body().asReader(StandardCharsets.UTF_8));
            return response.status() + " " + text + " " + url;
        }
    }

    private static Response send(Api api, String method, URI uri, byte[] body) {
        switch (method) {
            case "GET":
                return api.get(uri);
            case "DELETE":
                return api.delete(uri);
            case "PUT":
                return api.put(uri, body);
            default:
                return api.post(uri, body);
        }
    }

    /** As an application declares it. */
    interface Api {
        @RequestLine("GET")
        Response get(URI uri);

        @RequestLine("DELETE")
        Response delete(URI uri);

        @RequestLine("PUT")
        Response put(URI uri, byte[] body);

        @RequestLine("POST")
        Response post(URI uri, byte[] body);
    }
}
