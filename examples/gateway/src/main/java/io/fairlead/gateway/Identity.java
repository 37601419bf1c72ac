package io.fairlead.gateway;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Arrays;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Certificate and key of the HTTPS listener, which follow their files: new connections get the new certificate, and those
 * that stand keep what they have. A pair that cannot be used is told, and the old one stays.
 */
final class Identity {
    private static final Logger log = LoggerFactory.getLogger(Identity.class);
    private static final long INTERVAL_MILLIS = 1_000;

    private final Path cert;
    private final Path key;
    private final SslContextFactory.Server contexts;

    // Touched by the watching thread alone, once it runs.
    private byte[] inUse;
    private byte @Nullable [] broken;
    private boolean told;

    private Identity(Path cert, Path key, SslContextFactory.Server contexts, byte[] inUse) {
        this.cert = cert;
        this.key = key;
        this.contexts = contexts;
        this.inUse = inUse;
    }

    /** Reads the files. */
    static Identity read(Path cert, Path key) throws SetupException {
        // Before the pair is read: a change meanwhile is seen as one later.
        byte[] content = content(cert, key);
        SslContextFactory.Server contexts = new SslContextFactory.Server();
        contexts.setIncludeProtocols("TLSv1.3", "TLSv1.2");
        contexts.setRenegotiationAllowed(false);
        contexts.setKeyStore(Pem.keyStore(cert, key));
        contexts.setKeyStorePassword("");
        return new Identity(cert, key, contexts, content);
    }

    /** What makes the TLS connections. */
    SslContextFactory.Server contexts() {
        return contexts;
    }

    /**
     * Looks at the files once a second from now on.
     *
     * @param problems told in a line of each new content that cannot be used
     */
    void watch(Consumer<String> problems) {
        ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "tls-files");
            thread.setDaemon(true);
            return thread;
        });
        ScheduledFuture<?> unused = timer.scheduleWithFixedDelay(
                () -> look(problems), INTERVAL_MILLIS, INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void look(Consumer<String> problems) {
        byte[] content = content(cert, key);
        if (Arrays.equals(content, inUse)) {
            broken = null;
            told = false;
            return;
        }
        boolean again = broken != null && Arrays.equals(content, broken);
        if (again && told) {
            return;
        }
        try {
            KeyStore pair = Pem.keyStore(cert, key);
            contexts.reload(factory -> factory.setKeyStore(pair));
            inUse = content;
            broken = null;
            told = false;
            log.info("{}: the new certificate is in use", cert);
        } catch (Exception e) {
            // The two files are not replaced in one moment: a mistake is one that stays.
            told = again;
            broken = content;
            if (told) {
                problems.accept((e instanceof SetupException ? e.getMessage() : cert + ": cannot be used: " + e)
                        + "; the certificate stays as it was");
            }
        }
    }

    /** Both files; nothing when one cannot be read, of which is told when the pair is read. */
    private static byte[] content(Path cert, Path key) {
        try {
            byte[] first = Files.readAllBytes(cert);
            byte[] second = Files.readAllBytes(key);
            byte[] both = Arrays.copyOf(first, first.length + second.length);
            System.arraycopy(second, 0, both, first.length, second.length);
            return both;
        } catch (IOException e) {
            log.debug("a file of TLS cannot be read", e);
            return new byte[0];
        }
    }
}
