package io.fairlead.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.LoadBalancers;
import io.fairlead.config.ConfigFile;
import io.fairlead.servlet.ProxyFilter;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** What becomes of requests that are still under way when the time is over that stopping gives them. */
final class CutOffTest {
    private static final int CLIENTS = 12;

    private final AtomicInteger arrived = new AtomicInteger();
    private final CountDownLatch over = new CountDownLatch(1);

    @Test
    void clientsAreToldThatTheProxyStopsAndNoServerIsAskedAgain() throws Exception {
        try (Backend one = silent();
                Backend other = silent()) {
            LoadBalancers balancers = LoadBalancers.from(ConfigFile.parse("lb.yaml", ConfigText.service(one, other)));
            Options options = Options.parse("--config", "lb.yaml", "--port", "0");
            Gateway gateway = Gateway.start(options, null, balancers, new ProxyFilter(balancers));
            URI address = URI.create(gateway.addresses().substring("fairlead listening on ".length()));
            List<Wire> clients = new ArrayList<>();
            try {
                for (int i = 0; i < CLIENTS; i++) {
                    Wire client = new Wire(address);
                    clients.add(client);
                    client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
                }
                Awaitility.await().pollInterval(Duration.ofMillis(5)).until(() -> arrived.get() == CLIENTS);

                gateway.stop(Duration.ZERO);

                for (Wire client : clients) {
                    Wire.Answer answer = client.answer();
                    assertThat(answer.status()).isEqualTo(503);
                    assertThat(answer.fields()).containsEntry("connection", "close");
                    assertThat(answer.body()).contains("The proxy is being stopped");
                    assertThat(client.isClosedByPeer()).isTrue();
                }
                assertThat(arrived).hasValue(CLIENTS);
            } finally {
                over.countDown();
                for (Wire client : clients) {
                    client.close();
                }
            }
        }
    }

    private Backend silent() throws IOException {
        return new Backend(exchange -> {
            arrived.incrementAndGet();
            try {
                over.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        });
    }
}
