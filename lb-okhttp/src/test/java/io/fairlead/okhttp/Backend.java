package io.fairlead.okhttp;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import mockwebserver3.Dispatcher;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;
import okhttp3.Protocol;
import okhttp3.tls.HandshakeCertificates;
import org.jspecify.annotations.Nullable;

/** A web server that answers with its name unless a test says otherwise. */
final class Backend implements Closeable {
    final String name;
    final List<RecordedRequest> requests = new CopyOnWriteArrayList<>();
    volatile Function<RecordedRequest, MockResponse> answer;
    /** What to do with a request before it is read. */
    volatile MockResponse early = new MockResponse.Builder().build();

    private final MockWebServer server = new MockWebServer();
    private final boolean secure;

    private Backend(String name, @Nullable HandshakeCertificates certificates, @Nullable Protocol only)
            throws IOException {
        this.name = name;
        answer = request -> text(name);
        secure = certificates != null;
        if (certificates != null) {
            server.useHttps(certificates.sslSocketFactory());
        }
        server.setServerSocketFactory(new PromptServerSockets());
        if (only != null) {
            server.setProtocols(Collections.singletonList(only));
        }
        server.setDispatcher(new Dispatcher() {
            @Override
            public MockResponse dispatch(RecordedRequest request) {
                requests.add(request);
                return answer.apply(request);
            }

            @Override
            public MockResponse peek() {
                return early;
            }
        });
        server.start(InetAddress.getLoopbackAddress(), 0);
    }

    static Backend named(String name) throws IOException {
        return new Backend(name, null, null);
    }

    static Backend secure(String name, HandshakeCertificates certificates) throws IOException {
        return new Backend(name, certificates, null);
    }

    /** One that speaks HTTP/2 from the first byte on, without TLS, and nothing else. */
    static Backend http2(String name) throws IOException {
        return new Backend(name, null, Protocol.H2_PRIOR_KNOWLEDGE);
    }

    static MockResponse text(String text) {
        return new MockResponse.Builder().body(text).build();
    }

    static MockResponse redirect(String location) {
        return new MockResponse.Builder()
                .code(302)
                .setHeader("Location", location)
                .body("see there")
                .build();
    }

    String url() {
        return (secure ? "https" : "http") + "://127.0.0.1:" + port();
    }

    int port() {
        return server.getPort();
    }

    /** How many connections have brought requests. */
    long connections() {
        return requests.stream()
                .map(RecordedRequest::getConnectionIndex)
                .distinct()
                .count();
    }

    @Override
    public void close() {
        server.close();
    }
}
