package app.client;

import java.util.Collections;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;

/** OkHttp over HTTP/2: in clear text from the first byte, over TLS by ALPN. */
public final class OkHttpHttp2 extends OkHttp {
    private OkHttpHttp2(OkHttpClient client, OkHttpClient clear) {
        super(client, clear);
    }

    /** Starts it. */
    public static void main(String[] args) throws Exception {
        OkHttpClient client = new OkHttpClient();
        OkHttpClient clear = client.newBuilder()
                .protocols(Collections.singletonList(Protocol.H2_PRIOR_KNOWLEDGE))
                .build();
        new OkHttpHttp2(client, clear).run();
    }
}
