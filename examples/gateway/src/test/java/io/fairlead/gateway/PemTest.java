package io.fairlead.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PemTest {
    @TempDir
    static Path directory;

    private static final Map<String, TestIdentity> IDENTITIES = new ConcurrentHashMap<>();

    /** Makes each but once: a key takes keytool about a second. */
    private static TestIdentity identity(String name, String algorithm) {
        return IDENTITIES.computeIfAbsent(name + algorithm, key -> {
            try {
                return TestIdentity.make(directory, key, algorithm);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"RSA", "EC", "Ed25519"})
    void aCertificateAndItsKeyBecomeAKeyStore(String algorithm) throws Exception {
        TestIdentity identity = identity("one", algorithm);

        KeyStore store = Pem.keyStore(identity.cert, identity.key);

        assertThat(store.isKeyEntry("gateway")).isTrue();
        assertThat(store.getKey("gateway", new char[0])).isNotNull();
    }

    @Test
    void theWholeChainIsKeptInItsOrder() throws Exception {
        TestIdentity first = identity("one", "EC");
        TestIdentity second = identity("two", "EC");
        Path chain = directory.resolve("chain.pem");
        Files.writeString(
                chain, "subject=first\n" + Files.readString(first.cert) + "\n" + Files.readString(second.cert));

        Certificate[] kept = Pem.keyStore(chain, first.key).getCertificateChain("gateway");

        assertThat(kept).hasSize(2);
        assertThat(kept[0]).isEqualTo(Pem.keyStore(first.cert, first.key).getCertificateChain("gateway")[0]);
    }

    @ParameterizedTest
    @ValueSource(strings = {"RSA", "EC"})
    void aKeyOfAnotherCertificateIsRefused(String algorithm) throws Exception {
        TestIdentity one = identity("one", algorithm);
        TestIdentity other = identity("other", algorithm);

        assertThatThrownBy(() -> Pem.keyStore(one.cert, other.key))
                .isInstanceOf(SetupException.class)
                .hasMessage(other.key + ": not the key of the first certificate of " + one.cert);
    }

    @Test
    void aKeyOfAnotherKindIsRefused() throws Exception {
        TestIdentity one = identity("one", "RSA");
        TestIdentity other = identity("other", "EC");

        assertThatThrownBy(() -> Pem.keyStore(one.cert, other.key))
                .isInstanceOf(SetupException.class)
                .hasMessage(other.key + ": not a private key for a certificate with RSA");
    }

    @Test
    void otherFormsOfKeyAreNamedWithTheWayOut() throws Exception {
        TestIdentity one = identity("one", "EC");
        Path old = directory.resolve("old.pem");
        Files.writeString(old, TestIdentity.pem("EC PRIVATE KEY", new byte[] {1, 2, 3}));

        assertThatThrownBy(() -> Pem.keyStore(one.cert, old))
                .hasMessage(old + ": is a 'EC PRIVATE KEY'; make it a 'PRIVATE KEY' with:"
                        + " openssl pkcs8 -topk8 -nocrypt");
    }

    @Test
    void filesThatHoldNothingOfTheKindAreNamed() throws Exception {
        TestIdentity one = identity("one", "EC");
        Path text = directory.resolve("text.pem");
        Files.writeString(text, "hello\n");
        Path missing = directory.resolve("missing.pem");

        assertThatThrownBy(() -> Pem.keyStore(text, one.key))
                .isInstanceOf(SetupException.class)
                .hasMessageStartingWith(text + ": ");
        assertThatThrownBy(() -> Pem.keyStore(one.cert, text)).hasMessage(text + ": holds no private key in PEM");
        assertThatThrownBy(() -> Pem.keyStore(missing, one.key)).hasMessage(missing + ": no such file");
    }
}
