package io.fairlead.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.ReadyConnections;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ReadyConnectionsTest {
    private static ConfigFile file(String value) {
        return ConfigFile.parse(
                "lb.yaml",
                "http:\n  services:\n    orders:\n      loadBalancer:\n        servers: [{url: \"http://10.0.0.1:80\"}]\n"
                        + value);
    }

    private static ReadyConnections read(String value) {
        ConfigFile file = file(value);
        assertThat(file.problems().list()).isEmpty();
        return ((LoadBalancerSpec) file.services().get(0)).settings().readyConnections();
    }

    @Test
    void itIsOffUnlessItStandsThere() {
        assertThat(read("")).isNull();
        assertThat(read("        readyConnections: {}\n")).isEqualTo(ReadyConnections.DEFAULT);
        assertThat(read("        readyConnections: {path: /up, interval: 5s}\n"))
                .isEqualTo(ReadyConnections.of("/up", Duration.ofSeconds(5)));
    }

    @Test
    void mistakesAreShownWithTheirLine() {
        assertThat(file("        readyConnections: {path: up}\n").problems().list())
                .first()
                .hasToString(
                        "lb.yaml:6: http.services.orders.loadBalancer.readyConnections.path: path 'up' does not begin"
                                + " with a slash");
        assertThat(file("        readyConnections: {interval: 1ms}\n")
                        .problems()
                        .list())
                .first()
                .asString()
                .contains("readyConnections.interval: ", "below 10 ms");
        assertThat(file("        readyConnections: {pathh: /}\n").problems().list())
                .first()
                .asString()
                .contains("path");
    }
}
