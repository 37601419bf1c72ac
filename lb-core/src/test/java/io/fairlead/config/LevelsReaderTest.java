package io.fairlead.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.Endpoint;
import io.fairlead.LevelOptions;
import io.fairlead.ZonePreference;
import io.fairlead.health.SlowStart;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class LevelsReaderTest {
    @Test
    void everyKeyArrives() {
        LoadBalancerSpec spec = spec(
                "servers: [{url: \"http://a\", priority: 3, zone: eu-1}]",
                "slowStart: {duration: 1m, aggression: 1.5, minWeightPercent: 20}",
                "panicThreshold: 50",
                "overprovisioningFactor: 200",
                "zones: {own: eu-1, minHealthyPercent: 60}");
        assertThat(spec.levels())
                .isEqualTo(LevelOptions.DEFAULT
                        .withSlowStart(SlowStart.of(Duration.ofMinutes(1))
                                .withAggression(1.5)
                                .withMinWeightPercent(20))
                        .withPanicThreshold(50)
                        .withOverprovisioningFactor(200)
                        .withZones(ZonePreference.of("eu-1").withMinHealthyPercent(60)));
        assertThat(spec.servers())
                .containsExactly(
                        Endpoint.builder("http://a").priority(3).zone("eu-1").build());
    }

    @Test
    void nothingIsOnByDefault() {
        LoadBalancerSpec spec = spec("servers: [{url: \"http://a\"}]");
        assertThat(spec.levels()).isEqualTo(LevelOptions.DEFAULT);
        assertThat(spec.levels().slowStart()).isNull();
        assertThat(spec.levels().panicThreshold()).isZero();
        assertThat(spec.levels().overprovisioningFactor()).isEqualTo(140);
        assertThat(spec.levels().zones()).isNull();
        assertThat(spec.servers().get(0).priority()).isZero();
    }

    @Test
    void aSlowStartOfZeroIsNone() {
        assertThat(spec("servers: []", "slowStart: 0").levels().slowStart()).isNull();
        assertThat(spec("servers: []", "slowStart: {duration: 0s, aggression: 2}")
                        .levels()
                        .slowStart())
                .isNull();
    }

    @Test
    void aSlowStartThatTheStrategyTakesNoNoticeOfIsTold() {
        ConfigFile file = ConfigFile.parse("lb.yaml", yaml("servers: []", "strategy: random", "slowStart: 30s"));
        assertThat(file.problems().list()).isEmpty();
        assertThat(file.notices())
                .singleElement()
                .hasToString("lb.yaml:7: http.services.a.loadBalancer.slowStart: has no effect with the strategy"
                        + " 'random', which does not share by weight");
    }

    private static LoadBalancerSpec spec(String... lines) {
        ConfigFile file = ConfigFile.parse("lb.yaml", yaml(lines));
        assertThat(file.problems().list()).isEmpty();
        assertThat(file.notices()).isEmpty();
        return (LoadBalancerSpec) file.services().get(0);
    }

    private static String yaml(String... lines) {
        return "http:\n  services:\n    a:\n      loadBalancer:\n        " + String.join("\n        ", lines);
    }
}
