package io.fairlead.tls;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * How TLS is spoken to servers: which name is asked for and checked, whom is trusted, and who one is oneself.
 *
 * <p>Immutable; equal by value, which is that of the certificates and keys and not of where they were read from.
 */
public final class ClientTls {
    /** The server's own name, checked against the certificates that Java trusts; no certificate of one's own. */
    public static final ClientTls DEFAULT = new Builder().build();

    private static final char[] NO_PASSWORD = new char[0];

    private final @Nullable String serverName;
    private final List<X509Certificate> roots;
    private final List<Identity> identities;
    private final boolean insecureSkipVerify;
    /** Stands for all of it, since requests compare settings, and certificates and keys are long. */
    private final byte[] fingerprint;

    private final int hash;
    /** Made when it is first asked for; guarded by this. */
    private @Nullable SSLContext context;

    private ClientTls(Builder builder) {
        serverName = builder.serverName;
        roots = Collections.unmodifiableList(new ArrayList<>(builder.roots));
        identities = Collections.unmodifiableList(new ArrayList<>(builder.identities));
        insecureSkipVerify = builder.insecureSkipVerify;
        fingerprint = fingerprint();
        hash = Arrays.hashCode(fingerprint);
    }

    /** Begins with {@link #DEFAULT}. */
    public static Builder builder() {
        return new Builder();
    }

    /** The name that is sent (SNI) and that the server's certificate must be for; null: the host of its URL. */
    public @Nullable String serverName() {
        return serverName;
    }

    /** The certificates that are trusted instead of Java's own; empty: Java's own. */
    public List<X509Certificate> rootCAs() {
        return roots;
    }

    /** Whether any certificate is taken, of whoever and for whatever name. */
    public boolean insecureSkipVerify() {
        return insecureSkipVerify;
    }

    /** Whether it is other than {@link #DEFAULT}. */
    public boolean isCustom() {
        return !equals(DEFAULT);
    }

    /** The name that is asked for and checked of a server whose URL has this host. */
    public String nameFor(String host) {
        return serverName == null ? host : serverName;
    }

    /**
     * The context of these certificates and keys: always the same, so that sessions can be resumed.
     *
     * @throws GeneralSecurityException this Java cannot use one of them
     */
    public synchronized SSLContext context() throws GeneralSecurityException {
        if (context == null) {
            context = newContext();
        }
        return context;
    }

    private SSLContext newContext() throws GeneralSecurityException {
        try {
            SSLContext fresh = SSLContext.getInstance("TLS");
            fresh.init(keyManagers(), trustManagers(), null);
            return fresh;
        } catch (java.io.IOException e) {
            throw new GeneralSecurityException(e);
        }
    }

    /**
     * An engine that shakes hands with a server as its client, and checks its name unless nothing is to be checked.
     *
     * @param from {@link #context()}
     */
    public SSLEngine engine(SSLContext from, String host, int port) {
        SSLEngine engine = from.createSSLEngine(nameFor(host), port);
        engine.setUseClientMode(true);
        if (!insecureSkipVerify) {
            SSLParameters parameters = engine.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            engine.setSSLParameters(parameters);
        }
        return engine;
    }

    private byte[] fingerprint() {
        byte[] name = serverName == null ? new byte[0] : serverName.getBytes(StandardCharsets.UTF_8);
        if (roots.isEmpty() && identities.isEmpty()) {
            // Not digested: that loads the JDK's security, and with it, on Java 25, the default file system, which is
            // too early in an agent.
            byte[] plain = Arrays.copyOf(name, name.length + 1);
            plain[name.length] = (byte) (insecureSkipVerify ? 1 : 0);
            return plain;
        }
        try {
            Fingerprint all = new Fingerprint();
            all.add(name);
            all.add(insecureSkipVerify ? 1 : 0);
            all.add(roots);
            all.add(identities.size());
            for (Identity identity : identities) {
                all.add(identity.chain);
                all.add(identity.key.getEncoded());
            }
            return all.toBytes();
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("a certificate cannot be encoded", e);
        }
    }

    private KeyManager @Nullable [] keyManagers() throws GeneralSecurityException, java.io.IOException {
        if (identities.isEmpty()) {
            return null;
        }
        KeyStore store = empty();
        int i = 0;
        for (Identity identity : identities) {
            store.setKeyEntry(
                    "identity" + i++, identity.key, NO_PASSWORD, identity.chain.toArray(new X509Certificate[0]));
        }
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, NO_PASSWORD);
        return factory.getKeyManagers();
    }

    private TrustManager @Nullable [] trustManagers() throws GeneralSecurityException, java.io.IOException {
        if (insecureSkipVerify) {
            return new TrustManager[] {new TrustAnybody()};
        }
        if (roots.isEmpty()) {
            return null;
        }
        KeyStore store = empty();
        int i = 0;
        for (X509Certificate root : roots) {
            store.setCertificateEntry("root" + i++, root);
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return factory.getTrustManagers();
    }

    private static KeyStore empty() throws GeneralSecurityException, java.io.IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, NO_PASSWORD);
        return store;
    }

    @Override
    public boolean equals(Object other) {
        if (this == other) {
            return true;
        }
        if (!(other instanceof ClientTls)) {
            return false;
        }
        return Arrays.equals(fingerprint, ((ClientTls) other).fingerprint);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return "ClientTls{" + (serverName == null ? "" : serverName + ", ") + roots.size() + " roots, "
                + identities.size() + " certificates" + (insecureSkipVerify ? ", nothing is checked" : "") + "}";
    }

    /** Builds one; not safe for use from several threads. */
    public static final class Builder {
        private @Nullable String serverName;
        private final List<X509Certificate> roots = new ArrayList<>();
        private final List<Identity> identities = new ArrayList<>();
        private boolean insecureSkipVerify;

        private Builder() {}

        /** The name that is sent and checked; null: the host of the server's URL. */
        public Builder serverName(@Nullable String name) {
            serverName = name;
            return this;
        }

        /**
         * Trusts these certificates, and Java's own no more.
         *
         * @param pem one or several in PEM
         * @throws IllegalArgumentException it holds none, or one that cannot be read
         */
        public Builder rootCAs(String pem) {
            roots.addAll(Pem.certificates(pem));
            return this;
        }

        /**
         * Adds a certificate of one's own, which a server may ask for.
         *
         * @param chain the certificate in PEM, and those that it was signed by, if the server needs them
         * @param key its private key in PEM
         * @throws IllegalArgumentException one of them cannot be read, or they do not belong to each other
         */
        public Builder certificate(String chain, String key) {
            return certificate(Pem.certificates(chain), Pem.privateKey(key));
        }

        /**
         * As {@link #certificate(String, String)}, of what has been read.
         *
         * @throws IllegalArgumentException they do not belong to each other
         */
        public Builder certificate(List<X509Certificate> chain, PrivateKey key) {
            if (!KeyPairs.belong(chain.get(0).getPublicKey(), key)) {
                throw new IllegalArgumentException("is not the key of its certificate");
            }
            identities.add(new Identity(chain, key));
            return this;
        }

        /** Whether any certificate is taken. */
        public Builder insecureSkipVerify(boolean skip) {
            insecureSkipVerify = skip;
            return this;
        }

        /** The settings. */
        public ClientTls build() {
            return new ClientTls(this);
        }
    }

    /** A certificate with its chain, and its key. */
    private static final class Identity {
        private final List<X509Certificate> chain;
        private final PrivateKey key;

        private Identity(List<X509Certificate> chain, PrivateKey key) {
            this.chain = Collections.unmodifiableList(new ArrayList<>(chain));
            this.key = key;
        }
    }
}
