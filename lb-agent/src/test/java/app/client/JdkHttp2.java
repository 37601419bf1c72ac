package app.client;

/** {@code java.net.http.HttpClient}, whose servers speak HTTP/2: in clear text by an upgrade, over TLS by ALPN. */
public final class JdkHttp2 extends JdkHttp {
    private JdkHttp2() throws Exception {
        super(true);
    }

    /** Starts it. */
    public static void main(String[] args) throws Exception {
        new JdkHttp2().run();
    }
}
