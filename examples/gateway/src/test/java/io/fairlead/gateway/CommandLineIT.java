package io.fairlead.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CommandLineIT {
    @TempDir
    Path directory;

    @Test
    void helpIsTheUsage() throws Exception {
        GatewayProcess gateway = GatewayProcess.run("--help");

        assertThat(gateway.status()).isZero();
        assertThat(gateway.out()).isEqualTo(Options.USAGE);
        assertThat(gateway.err()).isEmpty();
    }

    @Test
    void versionIsThatOfTheBuild() throws Exception {
        GatewayProcess gateway = GatewayProcess.run("--version");

        assertThat(gateway.status()).isZero();
        assertThat(gateway.out()).isEqualTo("fairlead " + System.getProperty("fairlead.version") + "\n");
    }

    @Test
    void aMistakeInTheCommandLineIsOneLineAndTheUsage() throws Exception {
        GatewayProcess gateway = GatewayProcess.run("--prot", "8080");

        assertThat(gateway.status()).isEqualTo(2);
        assertThat(gateway.out()).isEmpty();
        assertThat(gateway.err()).isEqualTo("fairlead: unknown option --prot\n" + Options.USAGE);
    }

    @Test
    void aPortInUseIsOneLine() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Backend backend = Backend.named("a")) {
            String port = String.valueOf(taken.getLocalPort());
            GatewayProcess gateway = GatewayProcess.run(
                    "--config", ConfigText.file(directory, ConfigText.service(backend)), "--port", port);

            assertThat(gateway.status()).isEqualTo(1);
            assertThat(gateway.out()).isEmpty();
            assertThat(gateway.err())
                    .isEqualTo("fairlead: cannot listen on 127.0.0.1:" + port + ": Address already in use\n");
        }
    }

    @Test
    void anAdminPortInUseLeavesNothingListening() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = String.valueOf(taken.getLocalPort());
            GatewayProcess gateway = GatewayProcess.run("--port", "0", "--admin-port", port);

            assertThat(gateway.status()).isEqualTo(1);
            assertThat(gateway.out()).isEmpty();
            assertThat(gateway.err()).contains("fairlead: cannot listen on 127.0.0.1:" + port);
        }
    }

    @Test
    void aCertificateThatIsMissingIsOneLine() throws Exception {
        Path missing = directory.resolve("missing.pem");
        GatewayProcess gateway = GatewayProcess.run(
                "--port", "0", "--tls-cert", missing.toString(), "--tls-key", missing.toString(), "--tls-port", "0");

        assertThat(gateway.status()).isEqualTo(2);
        assertThat(gateway.out()).isEmpty();
        assertThat(gateway.err()).isEqualTo("fairlead: " + missing + ": no such file\n");
    }

    @Test
    void theLinesComeInTheOrderOfTheirPorts() throws Exception {
        TestIdentity identity = TestIdentity.make(directory, "it", "EC");
        try (GatewayProcess gateway = GatewayProcess.start(
                "--port",
                "0",
                "--admin-port",
                "0",
                "--host",
                "localhost",
                "--tls-cert",
                identity.cert.toString(),
                "--tls-key",
                identity.key.toString(),
                "--tls-port",
                "0")) {
            assertThat(gateway.out()).matches("""
                            fairlead listening on http://localhost:[1-9][0-9]*
                            fairlead listening on https://localhost:[1-9][0-9]*
                            fairlead admin on http://localhost:[1-9][0-9]*
                            """);
        }
    }
}
