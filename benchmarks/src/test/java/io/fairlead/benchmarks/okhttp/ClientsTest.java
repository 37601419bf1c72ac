package io.fairlead.benchmarks.okhttp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is measured does what the table says of it. */
@Tag("thorough")
class ClientsTest {
    private static final int CALLS = 40;

    static Set<String> clients() {
        return Clients.BY_NAME.keySet();
    }

    @ParameterizedTest
    @MethodSource("clients")
    void itSpreadsItsCallsEvenlyOverConnectionsThatItKeeps(String name) throws Exception {
        List<BareServer> servers =
                IntStream.range(0, 4).mapToObj(i -> new BareServer()).toList();
        try (Client client = Clients.BY_NAME
                .get(name)
                .apply(servers.stream().map(BareServer::url).toList())) {
            for (int i = 0; i < CALLS; i++) {
                assertThat(client.call()).isEqualTo(2);
            }
            assertThat(servers.stream().mapToLong(BareServer::requests).sum()).isEqualTo(CALLS);
            // Dialogue's draws among the servers that are equally good.
            long slack = name.contains("Dialogue") ? CALLS / 4 - 1 : 0;
            assertThat(servers).allSatisfy(server -> {
                assertThat(server.requests()).isBetween(CALLS / 4 - slack, CALLS / 4 + slack);
                assertThat(server.connections()).isEqualTo(1);
            });
        } finally {
            servers.forEach(BareServer::close);
        }
    }
}
