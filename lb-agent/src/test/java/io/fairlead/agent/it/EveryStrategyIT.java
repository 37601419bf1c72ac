package io.fairlead.agent.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.strategy.Strategies;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each strategy by its name in the file alone, all of them in one application. */
final class EveryStrategyIT {
    @TempDir
    Path folder;

    @Test
    void servesAndReachesEveryServer() throws Exception {
        try (Backend a = Backend.start("a");
                Backend b = Backend.start("b")) {
            StringBuilder text = new StringBuilder("http:\n  services:\n");
            for (String strategy : Strategies.names()) {
                text.append("    by-").append(strategy).append(":\n      loadBalancer:\n        strategy: ");
                text.append(strategy)
                        .append("\n        hashBy: $arg_key\n        servers: [{url: \"")
                        .append(a.url());
                text.append("\"}, {url: \"").append(b.url()).append("\"}]\n");
            }
            try (Jvm app = Jvm.underAgent(Configs.file(folder, text.toString()))) {
                for (String strategy : Strategies.names()) {
                    String url = "http://by-" + strategy + "/?key=";
                    Set<String> seen = new HashSet<>();
                    for (int key = 0; key < 20; key++) {
                        seen.add(app.ask("get " + url + key).replace(" " + url + key, ""));
                    }
                    assertThat(seen).as(strategy).containsExactlyInAnyOrder("200 a", "200 b");
                }
            }
        }
    }
}
