package io.fairlead.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The HTTPS listener follows its files. */
final class TlsReloadIT {
    @TempDir
    static Path directory;

    private static Backend backend;
    private static TestIdentity first;
    private static TestIdentity second;
    private static Path cert;
    private static Path key;
    private static GatewayProcess gateway;

    @BeforeAll
    static void start() throws Exception {
        first = TestIdentity.make(directory, "first", "EC");
        second = TestIdentity.make(directory, "second", "EC");
        cert = directory.resolve("cert.pem");
        key = directory.resolve("key.pem");
        use(first);
        backend = Backend.named("app");
        gateway = GatewayProcess.start(
                "--config",
                ConfigText.file(directory, ConfigText.service(backend)),
                "--port",
                "0",
                "--tls-cert",
                cert.toString(),
                "--tls-key",
                key.toString(),
                "--tls-port",
                "0");
    }

    @AfterAll
    static void stop() {
        gateway.close();
        backend.close();
    }

    private static void use(TestIdentity identity) throws IOException {
        replace(cert, Files.readString(identity.cert));
        replace(key, Files.readString(identity.key));
    }

    private static void replace(Path file, String text) throws IOException {
        Path written = Files.writeString(file.resolveSibling(file.getFileName() + ".new"), text);
        Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
    }

    private static SSLSocket connect(SSLContext trust) throws IOException {
        URI https = gateway.https();
        SSLSocket socket = (SSLSocket) trust.getSocketFactory().createSocket(https.getHost(), https.getPort());
        socket.setSoTimeout(20_000);
        return socket;
    }

    private static Certificate shown(SSLContext trust) throws IOException {
        try (SSLSocket socket = connect(trust)) {
            socket.startHandshake();
            return socket.getSession().getPeerCertificates()[0];
        }
    }

    private static String get(SSLSocket socket) throws IOException {
        socket.getOutputStream().write("GET /x HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        InputStream in = new BufferedInputStream(socket.getInputStream());
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) in.read());
        }
        in.readNBytes(3);
        return head.substring(0, head.indexOf("\r\n"));
    }

    @Test
    void aNewPairIsTakenOverAndABrokenOneIsNot() throws Exception {
        try (SSLSocket standing = connect(first.trust())) {
            assertThat(get(standing)).isEqualTo("HTTP/1.1 200 OK");

            replace(key, Files.readString(second.key));
            await().until(() -> !gateway.err().isEmpty());
            assertThat(gateway.err())
                    .isEqualTo("fairlead: " + key + ": not the key of the first certificate of " + cert
                            + "; the certificate stays as it was\n");
            assertThat(shown(first.trust())).isNotNull();

            replace(cert, Files.readString(second.cert));
            await().ignoreExceptions()
                    .untilAsserted(() -> assertThat(shown(second.trust())).isNotNull());
            assertThatThrownBy(() -> shown(first.trust())).isInstanceOf(SSLHandshakeException.class);

            assertThat(get(standing)).isEqualTo("HTTP/1.1 200 OK");
            assertThat(gateway.err().lines()).hasSize(1);
        } finally {
            use(first);
            await().ignoreExceptions()
                    .untilAsserted(() -> assertThat(shown(first.trust())).isNotNull());
        }
    }

    /** A ClientHello that offers TLS 1.1 (RFC 4346) at the most is answered with an alert (21) and no ServerHello (22). */
    @Test
    void anOldTlsIsRefused() throws Exception {
        byte[] body = new byte[41];
        body[0] = 3;
        body[1] = 2;
        // 32 bytes of chance, no session; one suite, TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA; no compression.
        body[36] = 2;
        body[37] = (byte) 0xC0;
        body[38] = 9;
        body[39] = 1;
        byte[] suites = {0, 2, (byte) 0xC0, 9, 1, 0};
        System.arraycopy(suites, 0, body, 35, 6);
        URI https = gateway.https();
        try (Socket socket = new Socket(https.getHost(), https.getPort())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(new byte[] {22, 3, 1, 0, 45, 1, 0, 0, 41});
            socket.getOutputStream().write(body);

            assertThat(socket.getInputStream().read()).isEqualTo(21);
        }
    }
}
