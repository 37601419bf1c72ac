package io.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.ServiceSettings;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.eclipse.jetty.client.Response;
import org.eclipse.jetty.io.ArrayByteBufferPool;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.util.component.AbstractLifeCycle;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which connections to servers are shared, kept and given up. */
@SuppressWarnings("try") // Jetty's stop says no more of what it throws.
final class UpstreamConnectionsTest {
    private JettyBackend backend;
    private Upstreams upstreams;

    @BeforeEach
    void start() throws Exception {
        backend = JettyBackend.h2c();
        upstreams = new Upstreams(1, Duration.ZERO, new ArrayByteBufferPool());
    }

    @AfterEach
    void stop() throws Exception {
        upstreams.close();
        backend.close();
    }

    @Test
    void aRequestThatNeedsAFreshConnectionGetsOneOverHttp2AndNoOtherAfterIt() throws Exception {
        Upstream upstream = upstreams.of(ServiceSettings.DEFAULT);
        Set<Object> connections = new HashSet<>();
        for (int i = 0; i < 3; i++) {
            UpstreamCall call = new UpstreamCall(upstream, backend.url(), "");
            call.request().onFreshConnection();
            assertThat(call.start().length().get(5, TimeUnit.SECONDS)).isZero();
            connections.add(backend.request().connection());
        }

        assertThat(connections).hasSize(3);
        Awaitility.await().until(() -> backend.connections() == 0);
    }

    @Test
    void aPoolIsFullWhereItIsThatOfTheRequestsProtocol() throws Exception {
        Upstream upstream = upstreams.of(ServiceSettings.DEFAULT);
        UpstreamCall holding = new UpstreamCall(upstream, backend.url(), "bytes=1000000") {
            @Override
            public void onContentSource(Response response, Content.Source source) {
                // Takes nothing.
            }
        };
        holding.start();
        Awaitility.await().until(holding::hasBegun);

        UpstreamCall same = new UpstreamCall(upstream, backend.url(), "");
        UpstreamCall other = new UpstreamCall(upstream, backend.url().replace("h2c:", "http:"), "");

        assertThat(PooledConnection.isPoolFull(upstream.client(), same.request()))
                .isTrue();
        assertThat(PooledConnection.isPoolFull(upstream.client(), other.request()))
                .isFalse();
    }

    @Test
    void aClientThatNobodyAsksForIsClosedAndTheNextRequestGetsAnother() throws Exception {
        try (Upstreams forgetful =
                new Upstreams(1, Duration.ZERO, new ArrayByteBufferPool(), null, Duration.ofMillis(100))) {
            Upstream before = forgetful.of(ServiceSettings.DEFAULT);

            Awaitility.await().until(() -> before.client().isStopped());

            assertThat(forgetful.of(ServiceSettings.DEFAULT)).isNotSameAs(before);
        }
    }

    @Test
    void aClientThatCannotBeClosedKeepsNoOtherFromBeingClosed() throws Exception {
        AtomicInteger stops = new AtomicInteger();
        Upstreams forgetful = new Upstreams(1, Duration.ZERO, new ArrayByteBufferPool(), Duration.ofMillis(50));
        Upstream stubborn = forgetful.of(ServiceSettings.DEFAULT);
        stubborn.client().addManaged(new AbstractLifeCycle() {
            @Override
            protected void doStop() {
                stops.incrementAndGet();
                throw new IllegalStateException("will not stop");
            }
        });
        Awaitility.await().until(() -> stops.get() > 0);

        Upstream after = forgetful.of(ServiceSettings.DEFAULT);

        Awaitility.await().until(() -> after.client().isStopped());
        assertThat(stops).hasValue(1);
        forgetful.close();
    }

    /** The end of all of them, too. */
    @Test
    void aClientThatCannotBeClosedKeepsNoThreadAlive() {
        Upstreams some = new Upstreams(1, Duration.ZERO, new ArrayByteBufferPool());
        some.of(ServiceSettings.DEFAULT).client().addManaged(new AbstractLifeCycle() {
            @Override
            protected void doStop() {
                throw new IllegalStateException("will not stop");
            }
        });

        some.close();

        assertThat(some.executor().isStopped()).isTrue();
    }

    /** By the settings of the pool, since its clock is real: it gives back so many once a while. */
    @Test
    void theThreadsOfABurstAreGivenBackWithinTenMinutes() {
        QueuedThreadPool threads = upstreams.executor();
        int tooMany = threads.getMaxThreads() - threads.getMinThreads();

        assertThat(threads.getMaxEvictCount()).isPositive();
        Duration all = Duration.ofMillis(threads.getIdleTimeout())
                .multipliedBy(tooMany)
                .dividedBy(threads.getMaxEvictCount());
        assertThat(all).isBetween(Duration.ofSeconds(30), Duration.ofMinutes(10));
    }
}
