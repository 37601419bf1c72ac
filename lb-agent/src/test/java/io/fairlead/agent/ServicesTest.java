package io.fairlead.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.Endpoint;
import io.fairlead.config.ConfigFile;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class ServicesTest {
    private static final String FILE = "http:\n"
            + "  services:\n"
            + "    Orders:\n"
            + "      loadBalancer:\n"
            + "        servers: [{url: 'http://a:1'}, {url: 'https://b:2'}, {url: 'http://c:3/base'}, {url: 'http://d:4/'}]\n"
            + "    all:\n"
            + "      failover: {service: orders, fallback: orders}\n";

    @Test
    void namesAreComparedWithoutCase() {
        Services services = services("http");

        assertThat(services.get("ORDERS")).isNotNull().isSameAs(services.get("orders"));
        assertThat(services.get("order")).isNull();
        assertThat(services.get(null)).isNull();
    }

    @Test
    void onlyServersOfTheCallsSchemeAndWithoutAPathAreUsed() {
        assertThat(ids(services("http"), "orders")).containsExactly("a:1", "d:4");
        assertThat(ids(services("https"), "orders")).containsExactly("b:2");
    }

    @Test
    void aCallToAServiceWaitsUntilTheyAreBuiltAndAnyOtherDoesNot() throws Exception {
        Services services = Services.of(ConfigFile.parse("lb.yaml", FILE), "http");

        assertThat(services.get("elsewhere")).isNull();
        Thread building = new Thread(services::build);
        building.start();
        assertThat(services.get("orders")).isNotNull();
        building.join();
    }

    private static List<String> ids(Services services, String name) {
        return services.get(name).balancer().snapshot().endpoints().stream()
                .map(each -> each.endpoint())
                .map(Endpoint::id)
                .collect(Collectors.toList());
    }

    private static Services services(String scheme) {
        Services services = Services.of(ConfigFile.parse("lb.yaml", FILE), scheme);
        services.build();
        return services;
    }
}
