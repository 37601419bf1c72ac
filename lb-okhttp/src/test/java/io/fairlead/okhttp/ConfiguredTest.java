package io.fairlead.okhttp;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.LoadBalancers;
import io.fairlead.config.ConfigFile;
import java.io.IOException;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.junit.jupiter.api.Test;

/** Services that a file describes. */
class ConfiguredTest {
    private static String get(OkHttpClient client, String url) throws IOException {
        try (Response response =
                client.newCall(new Request.Builder().url(url).build()).execute()) {
            return response.body().string();
        }
    }

    private static OkHttpClient client(LoadBalancers balancers) {
        return new OkHttpClient.Builder()
                .addInterceptor(LoadBalancingInterceptor.of(balancers))
                .build();
    }

    @Test
    void whereAllServersOfTheMainServiceRefuseTheCallGoesToTheFallback() throws IOException {
        try (RawServer spare = RawServer.answering("spare");
                LoadBalancers balancers = LoadBalancers.from(ConfigFile.parse(
                        "lb.yaml",
                        "http:\n  services:\n"
                                + "    orders-with-spare: {failover: {service: orders, fallback: spare}}\n"
                                + "    orders: {loadBalancer: {servers: [{url: \"" + Orders.deadUrl() + "\"}]}}\n"
                                + "    spare: {loadBalancer: {servers: [{url: \"" + spare.url() + "\"}]}}\n"))) {
            OkHttpClient client = client(balancers);
            assertThat(get(client, "http://orders-with-spare/")).isEqualTo("spare");
            assertThat(spare.requests.get(0).header("Host")).isEqualTo("orders-with-spare");
        }
    }

    @Test
    void hashingGoesByWhatTheFileSays() throws IOException {
        try (RawServer a = RawServer.answering("a");
                RawServer b = RawServer.answering("b");
                LoadBalancers balancers = LoadBalancers.from(ConfigFile.parse(
                        "lb.yaml",
                        "http:\n  services:\n    orders:\n      loadBalancer:\n"
                                + "        strategy: hrw\n        hashBy: $arg_user\n"
                                + "        servers: [{url: \"" + a.url() + "\"}, {url: \"" + b.url() + "\"}]\n"))) {
            OkHttpClient client = client(balancers);
            for (int user = 0; user < 20; user++) {
                String url = "http://orders/?user=" + user;
                assertThat(get(client, url)).isEqualTo(get(client, url));
            }
            assertThat(a.requests).isNotEmpty();
            assertThat(b.requests).isNotEmpty();
        }
    }
}
