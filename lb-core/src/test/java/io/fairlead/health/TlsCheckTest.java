package io.fairlead.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.Endpoint;
import io.fairlead.Scheduler;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks of servers that speak TLS, with a certificate that the JDK's own tool made. */
final class TlsCheckTest {
    private static final char[] PASSWORD = "changeit".toCharArray();

    @TempDir
    static Path folder;

    private static SSLContext before;
    private static SSLContext trusting;

    private final Scheduler scheduler = Scheduler.system();

    @BeforeAll
    static void trustTheCertificate() throws Exception {
        before = SSLContext.getDefault();
        Path store = folder.resolve("store.p12");
        Process keytool = new ProcessBuilder(Arrays.asList(
                        new File(System.getProperty("java.home"), "bin/keytool").getPath(),
                        "-genkeypair",
                        "-alias",
                        "server",
                        "-keyalg",
                        "RSA",
                        "-dname",
                        "CN=orders.internal",
                        "-validity",
                        "2",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        new String(PASSWORD),
                        "-keypass",
                        new String(PASSWORD)))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("keytool.txt").toFile())
                .start();
        assertThat(keytool.waitFor()).isZero();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD);
        }
        KeyStore trust = KeyStore.getInstance("PKCS12");
        trust.load(null, null);
        trust.setCertificateEntry("server", keys.getCertificate("server"));
        KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        own.init(keys, PASSWORD);
        TrustManagerFactory others = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        others.init(trust);
        trusting = SSLContext.getInstance("TLS");
        trusting.init(own.getKeyManagers(), others.getTrustManagers(), null);
        SSLContext.setDefault(trusting);
    }

    @AfterAll
    static void forgetTheCertificate() {
        SSLContext.setDefault(before);
    }

    @AfterEach
    void stop() {
        scheduler.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void anHttpCheckSpeaksTls(String protocol) throws Exception {
        StringBuilder body = new StringBuilder();
        for (int i = 0; i < 5_000; i++) {
            body.append("line ").append(i).append('\n');
        }
        try (Answers server = new Answers(
                listener(protocol),
                request -> "HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body)) {
            HealthCheck check = patient()
                    .path("/healthz")
                    .hostname("orders.internal")
                    .bodyPattern(Pattern.compile("(?m)^line 4999$"))
                    .build();
            assertThat(verdict("https://127.0.0.1:" + server.port(), check)).isEqualTo("passed");
            assertThat(server.requests())
                    .singleElement()
                    .asString()
                    .startsWith("GET /healthz HTTP/1.1\r\nHost: orders.internal\r\n");
        }
    }

    @Test
    void aRedirectIsFollowedOverTlsAgain() throws Exception {
        try (Answers server = new Answers(
                listener("TLSv1.2"),
                request -> request.startsWith("GET /old ")
                        ? "HTTP/1.1 308 Moved\r\nLocation: /new\r\n\r\n"
                        : "HTTP/1.1 204 None\r\n\r\n")) {
            HealthCheck check = patient()
                    .path("/old")
                    .followRedirects(true)
                    .status(StatusCodes.parse("204"))
                    .build();
            assertThat(verdict("https://127.0.0.1:" + server.port(), check)).isEqualTo("passed");
        }
    }

    @Test
    void aConnectionAloneIncludesTheHandshake() throws Exception {
        HealthCheck tcp = patient().build();
        try (Answers secure = new Answers(listener("TLSv1.2"), request -> Answers.SILENCE)) {
            assertThat(verdict("https://127.0.0.1:" + secure.port(), tcp)).isEqualTo("passed");
        }
        try (Answers plain = Answers.of("HTTP/1.1 400 Bad Request\r\n\r\n")) {
            assertThat(verdict("http://127.0.0.1:" + plain.port(), tcp)).isEqualTo("passed");
        }
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            assertThat(verdict(
                            "https://127.0.0.1:" + silent.getLocalPort(),
                            HealthCheck.builder()
                                    .timeout(Duration.ofMillis(200))
                                    .build()))
                    .isEqualTo("timed out");
        }
    }

    @Test
    void aCertificateThatIsNotTrustedDoesNotPass() throws Exception {
        SSLContext.setDefault(before);
        try (Answers server = new Answers(listener("TLSv1.2"), request -> "HTTP/1.1 200 OK\r\n\r\n")) {
            assertThat(verdict(
                            "https://127.0.0.1:" + server.port(),
                            patient().path("/").build()))
                    .containsIgnoringCase("certification path");
        } finally {
            SSLContext.setDefault(trusting);
        }
    }

    /** A handshake is slow on a machine that does much else. */
    private static HealthCheck.Builder patient() {
        return HealthCheck.builder().timeout(Duration.ofMinutes(1));
    }

    private static ServerSocket listener(String protocol) throws IOException {
        SSLServerSocket listener = (SSLServerSocket)
                trusting.getServerSocketFactory().createServerSocket(0, 50, InetAddress.getLoopbackAddress());
        listener.setEnabledProtocols(new String[] {protocol});
        return listener;
    }

    private String verdict(String url, HealthCheck check) throws Exception {
        CompletableFuture<Verdict> verdict = new CompletableFuture<>();
        scheduler.prober().probe(Endpoint.of(url), check, false, verdict::complete);
        return verdict.get().toString();
    }
}
