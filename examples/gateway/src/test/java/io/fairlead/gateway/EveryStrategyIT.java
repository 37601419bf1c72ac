package io.fairlead.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.strategy.Strategies;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each strategy by its name in the file alone, all of them in one gateway. */
@Tag("thorough")
final class EveryStrategyIT {
    @TempDir
    Path directory;

    @Test
    void servesAndReachesEveryServer() throws Exception {
        try (Backend a = Backend.named("a");
                Backend b = Backend.named("b");
                GatewayProcess gateway = GatewayProcess.start(
                        "--config", ConfigText.file(directory, services(a, b)), "--port", "0", "--admin-port", "0");
                Wire wire = new Wire(gateway.http());
                Wire admin = new Wire(gateway.admin())) {
            String state = admin.get("/api/services").body();
            for (String strategy : Strategies.names()) {
                assertThat(state).contains("\"strategy\":\"" + strategy + "\"");
                Set<String> seen = new HashSet<>();
                for (int key = 0; key < 20; key++) {
                    Wire.Answer answer = wire.get("/" + strategy + "/?key=" + key);
                    seen.add(answer.status() + " " + answer.body().substring(0, 1));
                }
                assertThat(seen).as(strategy).containsExactlyInAnyOrder("200 a", "200 b");
            }
        }
    }

    private static String services(Backend a, Backend b) {
        StringBuilder services = new StringBuilder("http:\n  services:\n");
        StringBuilder routers = new StringBuilder("  routers:\n");
        for (String strategy : Strategies.names()) {
            services.append("""
                        %s:
                          loadBalancer:
                            strategy: %s
                            hashBy: $arg_key
                            servers: [{url: "%s"}, {url: "%s"}]
                    """.formatted(strategy, strategy, a.url(), b.url()));
            routers.append(
                    "    %s: {rule: \"PathPrefix(`/%s`)\", service: %s}\n".formatted(strategy, strategy, strategy));
        }
        return services.append(routers).toString();
    }
}
