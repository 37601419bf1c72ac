package app.client;

import org.apache.hc.client5.http.impl.async.HttpAsyncClients;

/** Apache HttpClient 5, asynchronous, with its pool for HTTP/2 alone. */
public final class Apache5Http2 extends Apache5Async {
    private Apache5Http2() {
        super(HttpAsyncClients.customHttp2().build());
    }

    /** Starts it. */
    public static void main(String[] args) throws Exception {
        new Apache5Http2().run();
    }
}
