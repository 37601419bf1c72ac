package io.fairlead.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.PrivateKey;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The files beside this test are made by OpenSSL 3; no Java wrote them. */
final class PemTest {
    @ParameterizedTest
    @CsvSource({"server.key, EC", "server.sec1.key, EC", "client.key, RSA", "client.pkcs1.key, RSA", "named.key, EC"})
    void keysOfEveryFormAreRead(String file, String algorithm) {
        assertThat(Pem.privateKey(TestPem.text(file)).getAlgorithm()).isEqualTo(algorithm);
    }

    @Test
    void theOlderFormsAreTheSameKey() {
        assertSame("server.key", "server.sec1.key");
        assertSame("client.key", "client.pkcs1.key");
    }

    private static void assertSame(String file, String other) {
        PrivateKey key = Pem.privateKey(TestPem.text(other));
        assertThat(KeyPairs.belong(
                        Pem.certificates(TestPem.text(file.replace(".key", ".pem")))
                                .get(0)
                                .getPublicKey(),
                        key))
                .isTrue();
    }

    @Test
    void allCertificatesOfAFileAreReadAndWhatStandsAroundThemIsNot() {
        String text = "subject=CN = server\n" + TestPem.text("server.pem") + "\nsomething else\n"
                + TestPem.text("client.key") + TestPem.text("ca.pem");

        assertThat(Pem.certificates(text))
                .extracting(certificate -> certificate.getSubjectX500Principal().getName())
                .containsExactly("CN=server", "CN=Fairlead Test CA");
    }

    @Test
    void anEncryptedKeyIsRefusedByThatWord() {
        assertThatThrownBy(() -> Pem.privateKey(TestPem.text("encrypted.key")))
                .hasMessage("has an encrypted private key, which is not supported");
        assertThatThrownBy(() -> Pem.privateKey("-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nAAAA\n"
                        + "-----END RSA PRIVATE KEY-----\n"))
                .hasMessage("has an encrypted private key, which is not supported");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-----BEGIN EC PRIVATE KEY-----\nAAAA\n-----END EC PRIVATE KEY-----",
                "-----BEGIN EC PRIVATE KEY-----\nMIT/\n-----END EC PRIVATE KEY-----",
                "-----BEGIN EC PRIVATE KEY-----\n\n-----END EC PRIVATE KEY-----",
                "-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----",
                "-----BEGIN PRIVATE KEY-----\n=\n-----END PRIVATE KEY-----",
                "-----BEGIN PRIVATE KEY-----\nMAA=",
            })
    void brokenKeysAreRefused(String text) {
        assertThatThrownBy(() -> Pem.privateKey(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aKeyWhoseLengthsAreBeyondAllBoundsIsRefusedInWords() {
        // SEQUENCE { INTEGER 1, OCTET STRING 0, [0] of 2^31 - 1 bytes }
        String huge = Base64.getEncoder().encodeToString(new byte[] {
            0x30, 0x0C, 2, 1, 1, 4, 1, 0, (byte) 0xA0, (byte) 0x84, 0x7F, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF
        });
        assertThatThrownBy(() ->
                        Pem.privateKey("-----BEGIN EC PRIVATE KEY-----\n" + huge + "\n-----END EC PRIVATE KEY-----"))
                .hasMessage("has a private key that cannot be read");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "ca.pem",
                "-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----",
                "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----",
            })
    void brokenCertificatesAreRefused(String text) {
        assertThatThrownBy(() -> Pem.certificates(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aKeyOfAnotherCertificateIsRefused() {
        ClientTls.Builder tls = ClientTls.builder();
        assertThatThrownBy(() -> tls.certificate(TestPem.text("client.pem"), TestPem.text("server.key")))
                .hasMessage("is not the key of its certificate");
        assertThatThrownBy(() -> tls.certificate(TestPem.text("server.pem"), TestPem.text("named.key")))
                .hasMessage("is not the key of its certificate");
    }
}
