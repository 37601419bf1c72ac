package io.fairlead.servlet;

import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.assertj.core.api.Assertions;

/** A certificate for 127.0.0.1 that this JVM trusts until it is closed. */
final class TestTls implements AutoCloseable {
    private static final String TRUST = "javax.net.ssl.trustStore";
    private static final String PASSWORD = "changeit";

    private final SSLContext context;

    private TestTls(SSLContext context) {
        this.context = context;
    }

    static TestTls create(Path directory) throws Exception {
        Path store = directory.resolve("identity.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "server",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=127.0.0.1",
                        "-ext",
                        "san=ip:127.0.0.1",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        PASSWORD)
                .redirectErrorStream(true)
                .start();
        String said = new String(keytool.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        Assertions.assertThat(keytool.waitFor()).as(said).isZero();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        System.setProperty(TRUST, store.toString());
        System.setProperty(TRUST + "Password", PASSWORD);
        return new TestTls(context);
    }

    ServerSocket serverSocket() throws java.io.IOException {
        return context.getServerSocketFactory().createServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    @Override
    public void close() {
        System.clearProperty(TRUST);
        System.clearProperty(TRUST + "Password");
    }
}
