package io.fairlead.okhttp;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.LoadBalancers;
import io.fairlead.config.ConfigFile;
import io.fairlead.strategy.Strategies;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each strategy by its name in the file alone. */
final class EveryStrategyTest {
    private static Backend a;
    private static Backend b;

    private static List<String> strategies() {
        return Strategies.names();
    }

    @BeforeAll
    static void start() throws IOException {
        a = Backend.named("a");
        b = Backend.named("b");
    }

    @AfterAll
    static void stop() {
        a.close();
        b.close();
    }

    @ParameterizedTest
    @MethodSource("strategies")
    void servesAndReachesEveryServer(String strategy) throws IOException {
        String yaml = "http:\n  services:\n    orders:\n      loadBalancer:\n"
                + "        strategy: " + strategy + "\n        hashBy: $arg_key\n"
                + "        servers: [{url: \"" + a.url() + "\"}, {url: \"" + b.url() + "\"}]\n";
        try (LoadBalancers balancers = LoadBalancers.from(ConfigFile.parse("lb.yaml", yaml))) {
            assertThat(balancers.get("orders").snapshot().strategy()).isEqualTo(strategy);
            OkHttpClient client = new OkHttpClient.Builder()
                    .addInterceptor(LoadBalancingInterceptor.of(balancers))
                    .build();
            Set<String> seen = new HashSet<>();
            for (int key = 0; key < 20; key++) {
                seen.add(get(client, "http://orders/?key=" + key));
            }
            assertThat(seen).containsExactlyInAnyOrder("a", "b");
        }
    }

    private static String get(OkHttpClient client, String url) throws IOException {
        try (Response response =
                client.newCall(new Request.Builder().url(url).build()).execute()) {
            return response.body().string();
        }
    }
}
