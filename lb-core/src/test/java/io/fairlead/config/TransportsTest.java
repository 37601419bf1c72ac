package io.fairlead.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.Endpoint;
import io.fairlead.ManualScheduler;
import io.fairlead.TransportSettings;
import io.fairlead.tls.TestPem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code http.serversTransports}, beyond the time limits. */
final class TransportsTest {
    private static final String HEAD = "http:\n"
            + "  services:\n"
            + "    a: {loadBalancer: {servers: [{url: \"https://10.0.0.1\"}], serversTransport: t}}\n"
            + "  serversTransports:\n"
            + "    t:\n";

    @TempDir
    Path directory;

    private ConfigFile read(String... lines) throws IOException {
        Path file = directory.resolve("lb.yaml");
        StringBuilder text = new StringBuilder(HEAD);
        for (String line : lines) {
            text.append("      ").append(line).append('\n');
        }
        write(file, text.toString());
        return ConfigFile.read(file);
    }

    private void pem(String name) throws IOException {
        write(directory.resolve(name), TestPem.text(name));
    }

    private static void write(Path file, String text) throws IOException {
        Files.write(file, text.getBytes(StandardCharsets.UTF_8));
    }

    private static TransportSettings transport(ConfigFile file) {
        assertThat(file.problems().list()).isEmpty();
        assertThat(file.notices()).isEmpty();
        return ((LoadBalancerSpec) file.services().get(0)).settings().transport();
    }

    private List<String> problems(ConfigFile file) {
        return file.problems().list().stream()
                .map(problem -> problem.toString().replace(directory + "/", ""))
                .collect(Collectors.toList());
    }

    @Test
    void filesAreNamedRelativeToTheConfiguration() throws Exception {
        pem("ca.pem");
        pem("client.pem");
        pem("client.key");

        TransportSettings transport = transport(read(
                "serverName: orders.internal",
                "rootCAs: [ca.pem, \"" + directory.resolve("ca.pem") + "\"]",
                "certificates: [{certFile: client.pem, keyFile: ./client.key}]"));

        assertThat(transport.tls().serverName()).isEqualTo("orders.internal");
        assertThat(transport.tls().rootCAs()).hasSize(2);
        assertThat(transport.tls().isCustom()).isTrue();
        assertThat(transport.tls().context()).isNotNull();
    }

    @Test
    void pemMayStandInTheConfigurationItself() throws Exception {
        StringBuilder root = new StringBuilder();
        for (String line : TestPem.text("ca.pem").split("\n", -1)) {
            root.append("\n            ").append(line);
        }

        TransportSettings transport = transport(read("rootCAs:", "  - |" + root));

        assertThat(transport.tls().rootCAs()).hasSize(1);
    }

    @Test
    void theDefaultsAreThoseOfTheDocumentation() throws Exception {
        TransportSettings transport = transport(read("disableHTTP2: false"));

        assertThat(transport).isEqualTo(TransportSettings.DEFAULT);
        assertThat(transport.http2()).isTrue();
        assertThat(transport.maxIdleConnsPerHost()).isZero();
        assertThat(transport.readIdleTimeout()).isZero();
        assertThat(transport.pingTimeout()).isEqualTo(Duration.ofSeconds(15));
        assertThat(transport.tls().isCustom()).isFalse();
    }

    @Test
    void everyKeyHasItsEffect() throws Exception {
        TransportSettings transport = transport(read(
                "disableHTTP2: true",
                "maxIdleConnsPerHost: 7",
                "insecureSkipVerify: true",
                "forwardingTimeouts: {readIdleTimeout: 5s, pingTimeout: 2s}"));

        assertThat(transport.http2()).isFalse();
        assertThat(transport.maxIdleConnsPerHost()).isEqualTo(7);
        assertThat(transport.tls().insecureSkipVerify()).isTrue();
        assertThat(transport.readIdleTimeout()).isEqualTo(Duration.ofSeconds(5));
        assertThat(transport.pingTimeout()).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void whatIsWrongWithAFileIsToldWithTheLineOfItsKey() throws Exception {
        pem("ca.pem");
        pem("client.pem");
        pem("server.key");
        pem("encrypted.key");
        write(directory.resolve("empty.pem"), "");

        ConfigFile file = read(
                "serverName: \"not a name\"",
                "rootCAs: [empty.pem, missing.pem, server.key]",
                "certificates:",
                "  - {certFile: client.pem, keyFile: server.key}",
                "  - {certFile: ca.pem, keyFile: encrypted.key}",
                "  - {certFile: server.key, keyFile: \"-----BEGIN PRIVATE KEY-----\"}",
                "forwardingTimeouts: {pingTimeout: 0s}");

        String at = "http.serversTransports.t.";
        assertThat(problems(file))
                .containsExactly(
                        "lb.yaml:6: " + at + "serverName: 'not a name' is not the name of a host",
                        "lb.yaml:7: " + at + "rootCAs[0]: has no certificate in PEM",
                        "lb.yaml:7: " + at + "rootCAs[1]: 'missing.pem': there is no such file",
                        "lb.yaml:7: " + at + "rootCAs[2]: has no certificate in PEM",
                        "lb.yaml:9: " + at + "certificates[0].keyFile: is not the key of its certificate",
                        "lb.yaml:10: " + at
                                + "certificates[1].keyFile: has an encrypted private key, which is not supported",
                        "lb.yaml:11: " + at + "certificates[2].certFile: has no certificate in PEM",
                        "lb.yaml:11: " + at + "certificates[2].keyFile: has a private key that cannot be read",
                        "lb.yaml:12: " + at + "forwardingTimeouts.pingTimeout: must be more than zero");
    }

    @Test
    void whatTraefikChecksBeyondTheseIsRefusedInPlainWords() throws Exception {
        ConfigFile file = read("peerCertURI: \"spiffe://example/a\"", "spiffe: {trustDomain: example}");

        String why = ": is not supported; certificates are checked by rootCAs and serverName";
        assertThat(problems(file))
                .containsExactly(
                        "lb.yaml:6: http.serversTransports.t.peerCertURI" + why,
                        "lb.yaml:7: http.serversTransports.t.spiffe" + why);
    }

    @Test
    void aCertificateThatChangesIsANewConfiguration() throws Exception {
        ManualScheduler time = new ManualScheduler();
        List<ConfigFile> told = new ArrayList<>();
        pem("ca.pem");
        ConfigFile file = read("rootCAs: [ca.pem]");
        try (FileWatch watch = file.watch(time, 1_000_000, told::add, why -> {})) {
            assertThat(watch).isNotNull();
            time.advanceMillis(100);
            assertThat(told).isEmpty();

            write(directory.resolve("ca.pem"), "half of a certif");
            time.advanceMillis(10);
            assertThat(told).hasSize(1);
            assertThat(problems(told.get(0)))
                    .containsExactly("lb.yaml:6: http.serversTransports.t.rootCAs[0]: has no certificate in PEM");

            write(directory.resolve("ca.pem"), TestPem.text("server.pem"));
            time.advanceMillis(10);
            assertThat(told).hasSize(2);
            assertThat(transport(told.get(1))).isNotEqualTo(transport(file));

            read("serverName: nothing.else");
            time.advanceMillis(10);
            assertThat(told).hasSize(3);
            pem("ca.pem");
            time.advanceMillis(10);
            assertThat(told).as("a file that is named no more is not watched").hasSize(3);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nonsense: 1", "rootCAs: [ca.pem", "rootCAs: [missing.pem]"})
    void aCertificateIsRenewedAlsoWhileTheFileIsWrong(String mistake) throws Exception {
        ManualScheduler time = new ManualScheduler();
        List<ConfigFile> taken = new ArrayList<>();
        pem("ca.pem");
        ConfigFile file = read("rootCAs: [ca.pem]");
        FileWatch watch = file.watch(
                time,
                1_000_000,
                next -> {
                    if (next.problems().isEmpty()) {
                        taken.add(next);
                    }
                },
                why -> {});
        assertThat(watch).isNotNull();
        read(mistake);
        time.advanceMillis(10);
        assertThat(taken).isEmpty();

        write(directory.resolve("ca.pem"), TestPem.text("server.pem"));
        time.advanceMillis(10);
        assertThat(taken).hasSize(1);
        assertThat(transport(taken.get(0))).isNotEqualTo(transport(file));
        time.advanceMillis(100);
        assertThat(taken).hasSize(1);

        write(directory.resolve("ca.pem"), "half of a certif");
        time.advanceMillis(10);
        assertThat(taken).hasSize(1);
        pem("ca.pem");
        time.advanceMillis(10);
        assertThat(taken).hasSize(2);
        assertThat(transport(taken.get(1))).isEqualTo(transport(file));

        read("serverName: mended");
        time.advanceMillis(10);
        assertThat(taken).hasSize(3);
        assertThat(transport(taken.get(2)).tls().serverName()).isEqualTo("mended");
        watch.close();
    }

    @Test
    void activeChecksSpeakTlsAsTheRequestsDo() throws Exception {
        ConfigFile file = ConfigFile.parse(
                "lb.yaml",
                "http:\n"
                        + "  services:\n"
                        + "    a:\n"
                        + "      loadBalancer:\n"
                        + "        servers: [{url: \"https://10.0.0.1\"}]\n"
                        + "        healthCheck: {path: /}\n"
                        + "        serversTransport: t\n"
                        + "  serversTransports:\n"
                        + "    t: {serverName: orders.internal}\n");

        LoadBalancerSpec spec = (LoadBalancerSpec) file.services().get(0);
        assertThat(spec.healthCheck().tls().serverName()).isEqualTo("orders.internal");
    }

    @Test
    void aServersUrlMaySayThatItSpeaksHttp2WithoutTls() {
        Endpoint endpoint = Endpoint.of("h2c://10.0.0.1:8080/base");

        assertThat(endpoint.isH2c()).isTrue();
        assertThat(endpoint.isSecure()).isFalse();
        assertThat(endpoint.scheme()).isEqualTo("http");
        assertThat(endpoint.port()).isEqualTo(8080);
        assertThat(Endpoint.of("h2c://10.0.0.1").port()).isEqualTo(80);
        assertThat(Endpoint.of("http://10.0.0.1").isH2c()).isFalse();
    }
}
