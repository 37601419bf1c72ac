package io.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.LoadBalancers;
import io.fairlead.config.ConfigFile;
import io.fairlead.observe.EndpointSnapshot;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Active checks of a server that speaks HTTP/2 and nothing else. */
@SuppressWarnings("try") // Jetty's stop says no more of what it throws.
final class Http2CheckTest {
    @Test
    void itIsAskedInHttp2() throws Exception {
        try (JettyBackend backend = JettyBackend.h2c();
                LoadBalancers balancers =
                        checking(backend, "path: /healthz, headers: {X-Check: 'a b'}, initiallyUp: false")) {
            JettyBackend.Seen seen = backend.request();
            assertThat(seen.protocol()).isEqualTo("HTTP/2.0");
            assertThat(seen.target()).isEqualTo("/base/healthz");
            assertThat(seen.authority()).isEqualTo("127.0.0.1:" + backend.port());
            assertThat(seen.fields().get("X-Check")).isEqualTo("a b");
            assertThat(seen.fields().get("User-Agent")).isEqualTo("fairlead-health");
            awaitUp(balancers, true);
        }
    }

    @Test
    void itsBodyIsReadAsFarAsThatOfAnyOther() throws Exception {
        try (JettyBackend backend = JettyBackend.h2c();
                LoadBalancers balancers =
                        checking(backend, "path: '/?bytes=70000', bodyPattern: '(?s).{65536}', initiallyUp: false")) {
            awaitUp(balancers, true);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"status: 404", "bodyPattern: x", "scheme: http"})
    void itsAnswerIsJudged(String check) throws Exception {
        try (JettyBackend backend = JettyBackend.h2c();
                LoadBalancers balancers = checking(backend, "path: /, " + check)) {
            awaitUp(balancers, false);
        }
    }

    private static LoadBalancers checking(JettyBackend backend, String check) {
        return LoadBalancers.from(ConfigFile.parse("lb.yaml", """
                http:
                  services:
                    orders:
                      loadBalancer:
                        servers: [{url: "%s/base"}]
                        healthCheck: {%s, fall: 1, rise: 1, interval: 50ms, timeout: 2s}
                """.formatted(backend.url(), check)));
    }

    private static void awaitUp(LoadBalancers balancers, boolean up) {
        Awaitility.await().until(() -> {
            EndpointSnapshot server =
                    balancers.all().iterator().next().snapshot().endpoints().get(0);
            return server.up() == up;
        });
    }
}
