package io.fairlead.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CheckIT {
    /** Line 4, 5, 8, 11 and 14 are wrong; the others are not. */
    private static final String FIVE_MISTAKES = """
            http:
              services:
                orders:
                  loadBalancr: {servers: []}
                  loadBalancer: {strategy: wrrr,
                                 servers: [{url: "http://127.0.0.1:9001"}]}
                spare:
                  loadBalancer: {servers: [{url: "ftp://127.0.0.1:9002"}]}
              routers:
                orders:
                  rule: "PathPrefx(`/orders`)"
                  service: orders
                spare:
                  service: spaer
                  rule: "PathPrefix(`/spare`)"
            """;

    @TempDir
    Path directory;

    @Test
    void aGoodFileIsSilent() throws Exception {
        try (Backend backend = Backend.named("a")) {
            GatewayProcess gateway =
                    GatewayProcess.run("--check", "--config", ConfigText.file(directory, ConfigText.service(backend)));

            assertThat(gateway.err()).isEmpty();
            assertThat(gateway.out()).isEmpty();
            assertThat(gateway.status()).isZero();
        }
    }

    @Test
    void fiveMistakesAreFiveLinesInTheOrderOfTheFile() throws Exception {
        String file = ConfigText.file(directory, FIVE_MISTAKES);
        GatewayProcess gateway = GatewayProcess.run("--config", file, "--check");

        assertThat(gateway.status()).isEqualTo(2);
        assertThat(gateway.out()).isEmpty();
        assertThat(gateway.err().lines())
                .satisfiesExactly(
                        line -> assertThat(line)
                                .startsWith(file + ":4: http.services.orders.loadBalancr: ")
                                .contains("loadBalancer"),
                        line -> assertThat(line)
                                .startsWith(file + ":5: http.services.orders.loadBalancer.strategy: ")
                                .contains("wrr"),
                        line -> assertThat(line)
                                .startsWith(file + ":8: http.services.spare.loadBalancer.servers[0].url: "),
                        line -> assertThat(line)
                                .startsWith(file + ":11: http.routers.orders.rule: ")
                                .contains("PathPrefix"),
                        line -> assertThat(line).startsWith(file + ":14: http.routers.spare.service: "));
    }

    @Test
    void startingOnABadFileSaysTheSameAndListensNowhere() throws Exception {
        String file = ConfigText.file(directory, FIVE_MISTAKES);
        GatewayProcess checked = GatewayProcess.run("--config", file, "--check");
        GatewayProcess started = GatewayProcess.run("--config", file, "--port", "0", "--admin-port", "0");

        assertThat(started.status()).isEqualTo(2);
        assertThat(started.out()).isEmpty();
        assertThat(started.err()).isEqualTo(checked.err());
    }

    @Test
    void mistakesOfTheKeyAreToldBesideThoseOfTheFile() throws Exception {
        Path config = Path.of(ConfigText.file(
                directory,
                "http: {routrs: {}, services: {a: {loadBalancer: {servers: [{url: \"http://127.0.0.1:1\"}]}}}}\n"));
        Path cert = directory.resolve("nowhere.pem");
        Path key = directory.resolve("empty.pem");
        Files.writeString(key, "");
        GatewayProcess gateway = GatewayProcess.run(
                "--check", "--config", config.toString(), "--tls-cert", cert.toString(), "--tls-key", key.toString());
        assertThat(gateway.status()).isEqualTo(2);
        assertThat(gateway.err().lines())
                .satisfiesExactly(
                        line -> assertThat(line).isEqualTo("fairlead: " + cert + ": no such file"),
                        line -> assertThat(line).isEqualTo("fairlead: " + key + ": holds no private key in PEM"),
                        line -> assertThat(line).startsWith(config + ":1: http.routrs: "));
    }

    @Test
    void aMissingFileIsOneLine() throws Exception {
        Path missing = directory.resolve("nowhere.yaml");
        GatewayProcess gateway = GatewayProcess.run("--config", missing.toString(), "--check");

        assertThat(gateway.status()).isEqualTo(2);
        assertThat(gateway.err().lines()).hasSize(1);
        assertThat(gateway.err()).startsWith(missing.toString());
    }
}
