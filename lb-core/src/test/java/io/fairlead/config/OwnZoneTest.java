package io.fairlead.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.ZonePreference;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("sets a system property")
final class OwnZoneTest {
    private final Map<String, String> properties = new HashMap<>();
    private final Map<String, String> environment = new HashMap<>();
    private final String before = System.getProperty("fairlead.zone");

    @AfterEach
    void restore() {
        if (before == null) {
            System.clearProperty("fairlead.zone");
        } else {
            System.setProperty("fairlead.zone", before);
        }
    }

    @Test
    void aSystemPropertyCountsBeforeTheEnvironment() {
        assertThat(find()).isNull();
        environment.put("FAIRLEAD_ZONE", " eu-2 ");
        assertThat(find()).isEqualTo("eu-2");
        properties.put("fairlead.zone", "eu-1");
        assertThat(find()).isEqualTo("eu-1");
        properties.put("fairlead.zone", " ");
        assertThat(find()).as("blank is not given").isEqualTo("eu-2");
    }

    @Test
    void theFileCountsBeforeTheSystemProperty() {
        System.setProperty("fairlead.zone", "eu-1");
        assertThat(zones("zones: {own: eu-9}")).isEqualTo(ZonePreference.of("eu-9"));
        assertThat(zones("zones: {minHealthyPercent: 50}"))
                .isEqualTo(ZonePreference.of("eu-1").withMinHealthyPercent(50));
        assertThat(zones("strategy: wrr")).as("nothing is configured").isNull();
    }

    @Test
    void anOwnZoneThatNobodyNamesIsTold() {
        ConfigFile file = file("zones: {}");
        assertThat(spec(file).levels().zones()).isNull();
        assertThat(file.notices())
                .singleElement()
                .hasToString("lb.yaml:1: http.services.a.loadBalancer.zones: has no effect: it has no own, and neither"
                        + " -Dfairlead.zone nor FAIRLEAD_ZONE is set");
        assertThat(file("zones: ").notices()).singleElement().asString().contains("write {} to prefer");
    }

    private String find() {
        return OwnZone.find(properties::get, environment::get);
    }

    private static ZonePreference zones(String yaml) {
        ConfigFile file = file(yaml);
        assertThat(file.notices()).isEmpty();
        return spec(file).levels().zones();
    }

    private static LoadBalancerSpec spec(ConfigFile file) {
        assertThat(file.problems().list()).isEmpty();
        return (LoadBalancerSpec) file.services().get(0);
    }

    private static ConfigFile file(String key) {
        return ConfigFile.parse("lb.yaml", "http: {services: {a: {loadBalancer: {servers: [], " + key + "}}}}");
    }
}
