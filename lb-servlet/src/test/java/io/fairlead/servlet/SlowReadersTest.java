package io.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.ServiceSettings;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.eclipse.jetty.client.Response;
import org.eclipse.jetty.io.ArrayByteBufferPool;
import org.eclipse.jetty.io.Content;
import org.junit.jupiter.api.Test;

/** What an HTTP/2 connection to a server carries for clients that take nothing, and for those beside them. */
@SuppressWarnings("try") // Jetty's stop says no more of what it throws.
final class SlowReadersTest {
    private static final int ANSWER = 512 * 1024;

    private final AtomicInteger held = new AtomicInteger();

    @Test
    void answersThatAreNotTakenDoNotStopTheOthersOfTheirConnection() throws Exception {
        try (JettyBackend backend = JettyBackend.h2c();
                Upstreams upstreams = new Upstreams(64, Duration.ZERO, new ArrayByteBufferPool())) {
            Upstream upstream = upstreams.of(ServiceSettings.DEFAULT);
            // The first connection says how many requests it takes.
            awaitAnswer(upstream, backend);
            for (int i = 1; i < UpstreamTransport.MAX_STREAMS; i++) {
                hold(upstream, backend);
            }
            Awaitility.await().until(() -> held.get() == UpstreamTransport.MAX_STREAMS - 1);

            for (int i = 0; i < 3; i++) {
                awaitAnswer(upstream, backend);
            }
            assertThat(backend.connections()).isEqualTo(1);

            hold(upstream, backend);
            awaitAnswer(upstream, backend);
            assertThat(backend.connections())
                    .as("no more share one than its window holds")
                    .isEqualTo(2);
        }
    }

    private static void awaitAnswer(Upstream upstream, JettyBackend backend) throws Exception {
        assertThat(new UpstreamCall(upstream, backend.url(), "bytes=" + ANSWER)
                        .start()
                        .length()
                        .get(5, TimeUnit.SECONDS))
                .isEqualTo(ANSWER);
    }

    private void hold(Upstream upstream, JettyBackend backend) {
        new UpstreamCall(upstream, backend.url(), "bytes=" + ANSWER) {
            @Override
            public void onContentSource(Response response, Content.Source source) {
                held.incrementAndGet();
            }
        }.start();
    }
}
