package io.fairlead.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ClientNoticesTest {
    @Test
    void eachKeyAndServerThatAClientDoesNotKnowIsToldByItsPlace() {
        ConfigFile file = ConfigFile.parse(
                "lb.yaml",
                String.join(
                        "\n",
                        "http:",
                        "  serversTransports:",
                        "    safe:",
                        "      serverName: shop.internal",
                        "      insecureskipverify: true",
                        "      forwardingTimeouts: {dialTimeout: 1s}",
                        "  services:",
                        "    greeter:",
                        "      loadBalancer:",
                        "        serversTransport: safe",
                        "        servers:",
                        "          - url: http://127.0.0.1:1",
                        "          - url: H2C://127.0.0.1:2",
                        ""));
        assertThat(file.problems().list()).isEmpty();

        assertThat(ClientNotices.of(file, "here", "is not spoken to"))
                .extracting(ConfigProblem::toString)
                .containsExactly(
                        "lb.yaml:4: http.serversTransports.safe.serverName: has no effect here, where the client's own"
                                + " settings hold",
                        "lb.yaml:5: http.serversTransports.safe.insecureskipverify: has no effect here, where the"
                                + " client's own settings hold",
                        "lb.yaml:13: http.services.greeter.loadBalancer.servers[1].url: is not spoken to");
    }

    @Test
    void anOrdinaryFileIsNotSpokenOf() {
        ConfigFile file = ConfigFile.parse(
                "lb.yaml", "http: {services: {a: {loadBalancer: {servers: [{url: \"http://127.0.0.1:1\"}]}}}}");

        assertThat(ClientNotices.of(file, "here", "is not spoken to")).isEmpty();
    }
}
