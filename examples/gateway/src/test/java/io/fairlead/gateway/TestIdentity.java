package io.fairlead.gateway;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A self-signed certificate for 127.0.0.1, made by the JDK's keytool, and its key, both as PEM files. */
final class TestIdentity {
    private static final char[] PASSWORD = "changeit".toCharArray();

    final Path cert;
    final Path key;
    private final KeyStore store;

    private TestIdentity(Path cert, Path key, KeyStore store) {
        this.cert = cert;
        this.key = key;
        this.store = store;
    }

    /** {@code algorithm} is keytool's: RSA, EC, Ed25519. */
    static TestIdentity make(Path directory, String name, String algorithm) throws Exception {
        Path p12 = directory.resolve(name + ".p12");
        run(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-J-XX:TieredStopAtLevel=1",
                "-genkeypair",
                "-alias",
                "it",
                "-keyalg",
                algorithm,
                "-dname",
                "CN=localhost",
                "-ext",
                "san=ip:127.0.0.1,dns:localhost",
                "-validity",
                "2",
                "-storetype",
                "PKCS12",
                "-storepass",
                new String(PASSWORD),
                "-keystore",
                p12.toString());
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(p12)) {
            store.load(in, PASSWORD);
        }
        Path cert = directory.resolve(name + "-cert.pem");
        Path key = directory.resolve(name + "-key.pem");
        Files.writeString(cert, pem("CERTIFICATE", store.getCertificate("it").getEncoded()));
        Files.writeString(key, pem("PRIVATE KEY", store.getKey("it", PASSWORD).getEncoded()));
        return new TestIdentity(cert, key, store);
    }

    /** Trusts this certificate alone. */
    SSLContext trust() throws Exception {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("it", store.getCertificate("it"));
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, factory.getTrustManagers(), null);
        return context;
    }

    static String pem(String label, byte[] der) {
        return "-----BEGIN " + label + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der) + "\n-----END " + label + "-----\n";
    }

    private static void run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
            throw new IOException("keytool failed: " + output);
        }
    }
}
