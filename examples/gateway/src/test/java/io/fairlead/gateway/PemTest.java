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
import org.junit.jupiter.params.provider.CsvSource;
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

    /** Made by OpenSSL 3.0: {@code req -x509}, {@code rsa -traditional}, {@code ecparam -genkey}, {@code pkcs8 -topk8}. */
    private static Path openssl(String name) {
        return Path.of("src/test/resources/tls", name + ".pem");
    }

    @ParameterizedTest
    @CsvSource({"rsa-cert,rsa8", "rsa-cert,rsa1", "ec-cert,ec1"})
    void everyFormThatOpensslWritesIsRead(String cert, String key) throws Exception {
        KeyStore store = Pem.keyStore(openssl(cert), openssl(key));

        assertThat(store.getKey("gateway", new char[0])).isNotNull();
    }

    @ParameterizedTest
    @CsvSource({"rsa-cert,rsa-encrypted1", "ec-cert,ec-encrypted8"})
    void anEncryptedKeyIsNamedWithTheWayOut(String cert, String key) {
        assertThatThrownBy(() -> Pem.keyStore(openssl(cert), openssl(key)))
                .hasMessage(openssl(key) + ": the private key is encrypted; decrypt it with: openssl pkey -in FILE");
    }

    @ParameterizedTest
    @CsvSource({"rsa-cert,ec1,RSA", "ec-cert,rsa1,EC", "ec-cert,rsa8,EC"})
    void aKeyOfAnotherKindIsRefusedInEveryForm(String cert, String key, String algorithm) {
        assertThatThrownBy(() -> Pem.keyStore(openssl(cert), openssl(key)))
                .hasMessage(openssl(key) + ": not a private key for a certificate with " + algorithm);
    }

    @Test
    void chainAndKeyMayStandInOneFile() throws Exception {
        Path both = directory.resolve("both.pem");
        Files.writeString(both, Files.readString(openssl("rsa1")) + Files.readString(openssl("rsa-cert")));

        assertThat(Pem.keyStore(both, both).isKeyEntry("gateway")).isTrue();
    }

    @Test
    void aKeyThatIsGarbageIsNamed() throws Exception {
        Path garbage = directory.resolve("garbage.pem");
        Files.writeString(garbage, TestIdentity.pem("EC PRIVATE KEY", new byte[] {1, 2, 3}));

        assertThatThrownBy(() -> Pem.keyStore(openssl("ec-cert"), garbage))
                .hasMessage(garbage + ": not a private key for a certificate with EC");
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
