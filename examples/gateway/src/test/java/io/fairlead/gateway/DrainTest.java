package io.fairlead.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class DrainTest {
    private final BlockingQueue<Callback> held = new LinkedBlockingQueue<>();
    private final AtomicInteger tunnels = new AtomicInteger();
    private final Drain drain = new Drain(
            new Handler.Abstract() {
                @Override
                public boolean handle(Request request, Response response, Callback callback) {
                    return held.add(callback);
                }
            },
            tunnels::get);
    private final Server server = new Server();
    private URI address;

    @BeforeEach
    void start() throws Exception {
        server.setHandler(drain);
        address = URI.create("http://" + Connectors.authority(Connectors.http1(server, "127.0.0.1", 0)));
        server.start();
    }

    @AfterEach
    void stop() throws Exception {
        server.stop();
    }

    @Test
    void withNoRequestThereIsNothingToWaitFor() throws Exception {
        assertThat(drain.await(Duration.ZERO)).isTrue();
    }

    @Test
    void aRequestUnderWayIsWaitedForNoLongerThanTheLimit() throws Exception {
        try (Wire wire = new Wire(address)) {
            wire.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            Callback request = held.poll(60, TimeUnit.SECONDS);

            assertThat(drain.await(Duration.ofMillis(50))).isFalse();

            request.succeeded();
            assertThat(wire.answer().status()).isEqualTo(200);
            assertThat(drain.await(Duration.ofSeconds(60))).isTrue();
        }
    }

    @Test
    void whileDrainingARequestIsServedAndItsConnectionClosed() throws Exception {
        try (Wire wire = new Wire(address)) {
            wire.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            held.poll(60, TimeUnit.SECONDS).succeeded();
            assertThat(wire.answer().fields()).doesNotContainKey("connection");

            drain.begin();

            wire.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            held.poll(60, TimeUnit.SECONDS).succeeded();
            assertThat(wire.answer().fields()).containsEntry("connection", "close");
            assertThat(wire.isClosedByPeer()).isTrue();
        }
    }

    @Test
    void aTunnelIsWaitedForLikeARequest() throws Exception {
        tunnels.set(1);
        assertThat(drain.await(Duration.ofMillis(60))).isFalse();

        tunnels.set(0);
        assertThat(drain.await(Duration.ofMillis(60))).isTrue();
    }
}
