package app.client;

import org.apache.hc.client5.http.impl.async.CloseableHttpAsyncClient;
import org.apache.hc.client5.http.impl.async.HttpAsyncClients;

/** Apache HttpClient 5 over HTTP/2: in clear text from the first byte, by the client for that, over TLS by ALPN. */
public final class Apache5AsyncHttp2 extends Apache5Async {
    private Apache5AsyncHttp2(CloseableHttpAsyncClient client, CloseableHttpAsyncClient clear) {
        super(client, clear);
    }

    /** Starts it. */
    public static void main(String[] args) throws Exception {
        new Apache5AsyncHttp2(
                        HttpAsyncClients.custom().build(),
                        HttpAsyncClients.customHttp2().build())
                .run();
    }
}
