package io.fairlead.servlet.forward;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class ForwardLogTest {
    private final List<String> lines = new ArrayList<>();
    private final AtomicLong now = new AtomicLong();
    private final ForwardLog log = new ForwardLog(lines::add, now::get);

    @Test
    void theKeyIsNamedThatWouldLetTheHost() throws Exception {
        log.notListed(new Authority("api.example.org", 22), "10.0.0.7");
        now.addAndGet(1_000_000_000);
        log.special(
                "a.example.org",
                List.of(new InetSocketAddress(
                        InetAddress.getByAddress(new byte[] {(byte) 169, (byte) 254, 1, 1}), 80)));

        assertThat(lines)
                .containsExactly(
                        "refused: 'api.example.org:22', which 10.0.0.7 asked for, is not in http.forwardProxy.hosts"
                                + " (an entry without a port means 80 and 443)",
                        "refused: 'a.example.org' means 169.254.1.1, and http.forwardProxy.addresses has no range with it"
                                + " (special addresses, as loopback and link-local, must be listed there)");
    }

    @Test
    void nobodyFillsTheLogWithIt() {
        for (int i = 0; i < 1000; i++) {
            log.notListed(new Authority("a", 1), "10.0.0.7");
        }
        assertThat(lines).hasSize(1);

        now.addAndGet(1_000_000_000);
        log.notListed(new Authority("a", 1), "10.0.0.7");
        assertThat(lines).hasSize(2);
        assertThat(lines.get(1)).endsWith("; 999 more since the last such line");
    }
}
