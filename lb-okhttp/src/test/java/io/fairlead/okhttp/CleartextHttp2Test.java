package io.fairlead.okhttp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Servers of {@code h2c://}, which OkHttp speaks to only where a client is built for them and for no others. */
final class CleartextHttp2Test {
    @Test
    void suchAServerIsPassedOverAndSaysWhy() throws IOException {
        try (Backend b = Backend.named("b");
                Orders orders = Orders.over("h2c://127.0.0.1:1", b.url())) {
            for (int i = 0; i < 3; i++) {
                assertThat(orders.text("http://orders/")).isEqualTo("b");
            }
            assertThat(orders.balancer.snapshot().endpoints().get(0).lastError())
                    .contains("speaks HTTP/2 without TLS");
        }
    }

    @Test
    void oneAloneFailsInPlainWords() {
        try (Orders orders = Orders.over("h2c://127.0.0.1:1")) {
            assertThatThrownBy(() -> orders.text("http://orders/"))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("127.0.0.1:1 speaks HTTP/2 without TLS");
        }
    }
}
