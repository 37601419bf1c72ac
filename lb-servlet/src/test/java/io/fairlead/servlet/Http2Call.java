package io.fairlead.servlet;

import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.eclipse.jetty.http.HostPortHttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.http.MetaData;
import org.eclipse.jetty.http2.api.Session;
import org.eclipse.jetty.http2.api.Stream;
import org.eclipse.jetty.http2.client.HTTP2Client;
import org.eclipse.jetty.http2.frames.DataFrame;
import org.eclipse.jetty.http2.frames.HeadersFrame;
import org.eclipse.jetty.http2.frames.ResetFrame;
import org.eclipse.jetty.util.Callback;

/** A request over HTTP/2 without TLS whose body is sent piece by piece, and the frames that come back. */
@SuppressWarnings("try") // Jetty's stop says no more of what it throws.
final class Http2Call implements AutoCloseable {
    private final HTTP2Client client = new HTTP2Client();
    private final Stream stream;
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();

    private volatile MetaData.Response head;
    private volatile HttpFields trailers;
    private volatile boolean answered;
    private volatile Integer reset;

    private Http2Call(int port, MetaData.Request request) throws Exception {
        this(port, request, 512 * 1024);
    }

    private Http2Call(int port, MetaData.Request request, int window) throws Exception {
        client.setInitialStreamRecvWindow(window);
        client.setMaxResponseHeadersSize(100 * 1024);
        client.start();
        Session session = client.connect(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), port), new Session.Listener() {})
                .get(10, TimeUnit.SECONDS);
        stream = session.newStream(new HeadersFrame(request, null, false), new Listener())
                .get(10, TimeUnit.SECONDS);
    }

    /** Sends the head of a request with a body. */
    static Http2Call post(int port, String path, HttpFields fields) throws Exception {
        HttpURI uri = HttpURI.from("http://127.0.0.1:" + port + path);
        return new Http2Call(port, new MetaData.Request("POST", uri, HttpVersion.HTTP_2, fields));
    }

    /** As {@link #post}, with a client that takes so many bytes of the answer at a time. */
    static Http2Call post(int port, String path, HttpFields fields, int window) throws Exception {
        HttpURI uri = HttpURI.from("http://127.0.0.1:" + port + path);
        return new Http2Call(port, new MetaData.Request("POST", uri, HttpVersion.HTTP_2, fields), window);
    }

    /** Opens a WebSocket (RFC 8441). */
    static Http2Call webSocket(int port, String path, HttpFields fields) throws Exception {
        HostPortHttpField authority = new HostPortHttpField("127.0.0.1:" + port);
        return new Http2Call(port, new MetaData.ConnectRequest("http", authority, path, fields, "websocket"));
    }

    /** Sends a piece of the body, which goes on. */
    void send(int bytes) {
        send(new byte[bytes]);
    }

    /** Not before the piece before is out, since a stream takes one at a time. */
    void send(byte[] bytes) {
        send(new DataFrame(stream.getId(), ByteBuffer.wrap(bytes), false));
    }

    private void send(DataFrame frame) {
        CompletableFuture<?> sent = stream.data(frame);
        await().until(sent::isDone);
    }

    /** Sends the end of the body. */
    void end() {
        send(new DataFrame(stream.getId(), ByteBuffer.allocate(0), true));
    }

    /** Sends the fields behind the body, which end it. */
    void end(HttpFields fields) {
        CompletableFuture<?> sent =
                stream.headers(new HeadersFrame(stream.getId(), new MetaData(HttpVersion.HTTP_2, fields), null, true));
        await().until(sent::isDone);
    }

    /** The fields behind the body of the answer; null where there are none. */
    HttpFields trailers() {
        return trailers;
    }

    /** Waits for the head of the answer, which may go on. */
    void awaitHead() {
        await().until(() -> head != null || reset != null);
    }

    /** Waits for the head of the answer and the end of its body. */
    void awaitAnswer() {
        await().until(() -> answered || reset != null);
    }

    /** Waits for the reset while sending on. */
    void sendUntilReset() {
        await().until(() -> {
            if (reset == null) {
                send(100);
            }
            return reset != null;
        });
    }

    private static org.awaitility.core.ConditionFactory await() {
        return Awaitility.await()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .atMost(Duration.ofSeconds(4));
    }

    /** The status; 0 before there is one. */
    int status() {
        MetaData.Response known = head;
        return known == null ? 0 : known.getStatus();
    }

    String field(String name) {
        return head.getHttpFields().get(name);
    }

    byte[] bytes() {
        synchronized (body) {
            return body.toByteArray();
        }
    }

    String body() {
        return new String(bytes(), StandardCharsets.UTF_8);
    }

    /** Whether the answer has come to its end. */
    boolean isAnswered() {
        return answered;
    }

    /** The code of the reset; null when there was none. */
    Integer reset() {
        return reset;
    }

    @Override
    public void close() throws Exception {
        client.stop();
    }

    private final class Listener implements Stream.Listener {
        @Override
        public void onHeaders(Stream answering, HeadersFrame frame) {
            if (frame.getMetaData() instanceof MetaData.Response response) {
                head = response;
            } else {
                trailers = frame.getMetaData().getHttpFields();
            }
            if (frame.isEndStream()) {
                answered = true;
            } else {
                answering.demand();
            }
        }

        @Override
        public void onDataAvailable(Stream answering) {
            Stream.Data data = answering.readData();
            while (data != null) {
                ByteBuffer bytes = data.frame().getByteBuffer();
                byte[] copy = new byte[bytes.remaining()];
                bytes.get(copy);
                synchronized (body) {
                    body.writeBytes(copy);
                }
                boolean last = data.frame().isEndStream();
                data.release();
                if (last) {
                    answered = true;
                    return;
                }
                data = answering.readData();
            }
            answering.demand();
        }

        @Override
        public void onReset(Stream answering, ResetFrame frame, Callback callback) {
            reset = frame.getError();
            callback.succeeded();
        }
    }
}
