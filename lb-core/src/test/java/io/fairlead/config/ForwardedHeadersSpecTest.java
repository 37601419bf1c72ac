package io.fairlead.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class ForwardedHeadersSpecTest {
    private static ConfigFile file(String forwardedHeaders) {
        return ConfigFile.parse(
                "lb.yaml",
                "http:\n  forwardedHeaders: " + forwardedHeaders + "\n  services:\n"
                        + "    orders: {loadBalancer: {servers: [{url: \"http://127.0.0.1:1\"}]}}\n");
    }

    @Test
    void nobodyIsTrustedByDefault() {
        ForwardedHeadersSpec spec = file("{}").forwardedHeaders();

        assertThat(spec.trusted().isEmpty()).isTrue();
        assertThat(spec.trusted().contains("127.0.0.1")).isFalse();
        assertThat(spec.via()).isNull();
        assertThat(spec.forwarded()).isFalse();
    }

    @Test
    void whatIsWrittenIsRead() {
        ConfigFile file = file("{trustedIPs: [\"10.0.0.0/8\", \"::1\"], via: \"edge-1:8080\", forwarded: true}");

        assertThat(file.problems().list()).isEmpty();
        assertThat(file.forwardedHeaders().trusted().contains("10.2.3.4")).isTrue();
        assertThat(file.forwardedHeaders().trusted().contains("::1")).isTrue();
        assertThat(file.forwardedHeaders().trusted().contains("10.2.3")).isFalse();
        assertThat(file.forwardedHeaders().via()).isEqualTo("edge-1:8080");
        assertThat(file.forwardedHeaders().forwarded()).isTrue();
    }

    @Test
    void everyMistakeIsTold() {
        assertThat(file("{trustedIPs: [\"10.0.0.0/40\"], via: \"a b\", forwarded: maybe, trusted: x}")
                        .problems()
                        .list()
                        .stream()
                        .map(ConfigProblem::toString)
                        .collect(Collectors.joining("\n")))
                .contains("lb.yaml:2: http.forwardedHeaders.trustedIPs[0]: '10.0.0.0/40' is not an IP address")
                .contains("lb.yaml:2: http.forwardedHeaders.via: must be a name")
                .contains("lb.yaml:2: http.forwardedHeaders.forwarded: must be true or false")
                .contains("lb.yaml:2: http.forwardedHeaders.trusted: unknown key 'trusted'");
    }
}
