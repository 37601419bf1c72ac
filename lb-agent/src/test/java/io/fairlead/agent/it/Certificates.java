package io.fairlead.agent.it;

import java.io.File;
import java.io.FileInputStream;
import java.io.InputStream;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** A certificate for a logical name, made by the JDK's own tool, and the store by which it is trusted. */
final class Certificates {
    private static final String PASSWORD = "password";

    private final File store;

    private Certificates(File store) {
        this.store = store;
    }

    /** A certificate for this name and no other. */
    static Certificates of(String name, Path folder) throws Exception {
        File store = folder.resolve("store.p12").toFile();
        String tool = "keytool -genkeypair -alias a -keyalg EC -validity 30 -dname CN=test -ext SAN=dns:" + name
                + " -storetype PKCS12 -storepass " + PASSWORD + " -keypass " + PASSWORD + " -keystore " + store;
        String[] words = tool.split(" ", -1);
        ProcessBuilder builder = Jvm.command(words[0], java.util.Arrays.copyOfRange(words, 1, words.length));
        Process process = builder.redirectErrorStream(true)
                .redirectOutput(folder.resolve("keytool.log").toFile())
                .start();
        if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
            throw new AssertionError("keytool failed");
        }
        return new Certificates(store);
    }

    SSLContext server() throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys().getKeyManagers(), null, null);
        return context;
    }

    /** The server's key. */
    KeyManagerFactory keys() throws Exception {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = new FileInputStream(store)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, PASSWORD.toCharArray());
        return managers;
    }

    /** Options that make an application trust it. */
    String[] trusting() {
        return new String[] {
            "-Djavax.net.ssl.trustStore=" + store,
            "-Djavax.net.ssl.trustStorePassword=" + PASSWORD,
            "-Djavax.net.ssl.trustStoreType=PKCS12"
        };
    }
}
