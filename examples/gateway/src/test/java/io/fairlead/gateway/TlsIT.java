package io.fairlead.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class TlsIT {
    @TempDir
    static Path directory;

    private static Backend backend;
    private static TestIdentity identity;
    private static GatewayProcess gateway;

    @BeforeAll
    static void start() throws Exception {
        identity = TestIdentity.make(directory, "it", "EC");
        backend = new Backend(exchange ->
                Backend.answer(exchange, "proto " + exchange.getRequestHeaders().getFirst("X-Forwarded-Proto")));
        gateway = GatewayProcess.start(
                "--config",
                ConfigText.file(directory, ConfigText.service(backend)),
                "--port",
                "0",
                "--tls-cert",
                identity.cert.toString(),
                "--tls-key",
                identity.key.toString(),
                "--tls-port",
                "0");
    }

    @AfterAll
    static void stop() {
        gateway.close();
        backend.close();
    }

    @ParameterizedTest
    @EnumSource(HttpClient.Version.class)
    void httpsServesWhatTheClientChoosesByAlpn(HttpClient.Version version) throws Exception {
        HttpClient client = HttpClient.newBuilder()
                .version(version)
                .sslContext(identity.trust())
                .build();
        HttpResponse<String> answer = client.send(
                HttpRequest.newBuilder(gateway.https().resolve("/x")).build(), HttpResponse.BodyHandlers.ofString());

        assertThat(answer.version()).isEqualTo(version);
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("proto https");
    }

    @ParameterizedTest
    @ValueSource(strings = {"http/1.1", "h2"})
    void aClientThatOffersOneProtocolByItsRegisteredNameGetsIt(String protocol) throws Exception {
        URI https = gateway.https();
        try (SSLSocket socket =
                (SSLSocket) identity.trust().getSocketFactory().createSocket(https.getHost(), https.getPort())) {
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setApplicationProtocols(new String[] {protocol});
            socket.setSSLParameters(parameters);
            socket.startHandshake();

            assertThat(socket.getApplicationProtocol()).isEqualTo(protocol);
        }
    }

    @Test
    void thePlainPortStaysBesideIt() throws Exception {
        try (Wire wire = new Wire(gateway.http())) {
            assertThat(wire.get("/x").body()).isEqualTo("proto http");
        }
    }
}
