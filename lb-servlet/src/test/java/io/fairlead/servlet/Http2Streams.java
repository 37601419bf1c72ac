package io.fairlead.servlet;

import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.http.MetaData;
import org.eclipse.jetty.http2.api.Session;
import org.eclipse.jetty.http2.api.Stream;
import org.eclipse.jetty.http2.api.server.ServerSessionListener;
import org.eclipse.jetty.http2.frames.HeadersFrame;
import org.eclipse.jetty.http2.server.RawHTTP2ServerConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;

/** A server of HTTP/2 frames without TLS: a test says what is done with each stream. */
@SuppressWarnings("try") // Jetty's stop says no more of what it throws.
final class Http2Streams implements AutoCloseable {
    /** What is done with a request's head. */
    interface Script {
        void run(Stream stream, HeadersFrame head, int number);
    }

    private final Server server = new Server();
    private final ServerConnector connector;
    private final AtomicInteger requests = new AtomicInteger();
    private final AtomicInteger sessions = new AtomicInteger();

    Http2Streams(Script script) throws Exception {
        connector = new ServerConnector(
                server, 1, 1, new RawHTTP2ServerConnectionFactory(new HttpConfiguration(), new ServerSessionListener() {
                    @Override
                    public void onAccept(Session session) {
                        sessions.incrementAndGet();
                    }

                    @Override
                    public Stream.Listener onNewStream(Stream stream, HeadersFrame frame) {
                        script.run(stream, frame, requests.incrementAndGet());
                        return null;
                    }
                }));
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        server.start();
    }

    String url() {
        return "h2c://127.0.0.1:" + connector.getLocalPort();
    }

    /** How many requests have come. */
    int requests() {
        return requests.get();
    }

    /** How many connections there have been. */
    int sessions() {
        return sessions.get();
    }

    /** Answers a stream with this status, and nothing after the head. */
    static void answer(Stream stream, int status) {
        HttpFields fields = HttpFields.EMPTY;
        MetaData.Response response = new MetaData.Response(status, null, HttpVersion.HTTP_2, fields);
        stream.headers(new HeadersFrame(stream.getId(), response, null, true), Callback.NOOP);
    }

    @Override
    public void close() throws Exception {
        server.stop();
    }
}
