package app.client;

/** Jetty's client over HTTP/2: in clear text from the first byte, over TLS by ALPN. */
public final class JettyHttp2 extends Jetty {
    private JettyHttp2(Object client) throws Exception {
        super(client);
    }

    /** Starts it. */
    public static void main(String[] args) throws Exception {
        boolean is12 = has("org.eclipse.jetty.http2.client.transport.HttpClientTransportOverHTTP2");
        Class<?> http2 = type("org.eclipse.jetty.http2.client.HTTP2Client");
        Object transport = type("org.eclipse.jetty.http2.client." + (is12 ? "transport" : "http")
                        + ".HttpClientTransportOverHTTP2")
                .getConstructor(http2)
                .newInstance(http2.getConstructor().newInstance());
        new JettyHttp2(over(transport)).run();
    }
}
