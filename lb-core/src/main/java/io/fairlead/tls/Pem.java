package io.fairlead.tls;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Certificates and private keys in PEM (RFC 7468): the blocks are taken out of whatever text stands around them.
 *
 * <p>Keys may be in PKCS #8 ({@code PRIVATE KEY}), PKCS #1 ({@code RSA PRIVATE KEY}) or SEC 1 ({@code EC PRIVATE KEY});
 * encrypted ones are refused.
 */
public final class Pem {
    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]{1,40})-----([A-Za-z0-9+/=\\s]{0,200000})-----END \\1-----");
    private static final Pattern KEY_BEGIN = Pattern.compile("-----BEGIN ([A-Z0-9 ]{0,40}PRIVATE KEY)-----");
    private static final String[] ALGORITHMS = {"RSA", "EC", "EdDSA", "DSA"};

    private Pem() {}

    /** Whether the text is PEM, or at least begins a block of it, rather than the name of a file. */
    public static boolean isPem(String text) {
        return text.contains("-----BEGIN ");
    }

    /**
     * All certificates of a text, in its order.
     *
     * @throws IllegalArgumentException there is none, or one cannot be read; the message says which, without a place
     */
    public static List<X509Certificate> certificates(String text) {
        List<X509Certificate> found = new ArrayList<>();
        Matcher block = BLOCK.matcher(text);
        while (block.find()) {
            if (block.group(1).endsWith("CERTIFICATE")) {
                found.add(certificate(block.group(2), found.size() + 1));
            }
        }
        if (found.isEmpty()) {
            throw new IllegalArgumentException("has no certificate in PEM");
        }
        return Collections.unmodifiableList(found);
    }

    private static X509Certificate certificate(String base64, int number) {
        try {
            Certificate read = CertificateFactory.getInstance("X.509")
                    .generateCertificate(new ByteArrayInputStream(decode(base64)));
            return (X509Certificate) read;
        } catch (CertificateException | IllegalArgumentException | ClassCastException e) {
            throw new IllegalArgumentException("has a certificate, number " + number + ", that cannot be read", e);
        }
    }

    /**
     * The first private key of a text.
     *
     * @throws IllegalArgumentException there is none, or it cannot be read; the message says why, without a place
     */
    public static PrivateKey privateKey(String text) {
        Matcher block = BLOCK.matcher(text);
        while (block.find()) {
            String kind = block.group(1);
            if (kind.endsWith("PRIVATE KEY")) {
                return privateKey(kind, block.group(2));
            }
        }
        Matcher begun = KEY_BEGIN.matcher(text);
        if (begun.find()) {
            // Headers of an encrypted block stand where only Base64 may.
            throw new IllegalArgumentException(
                    text.contains("ENCRYPTED")
                            ? "has an encrypted private key, which is not supported"
                            : "has a private key that cannot be read");
        }
        throw new IllegalArgumentException("has no private key in PEM");
    }

    private static PrivateKey privateKey(String kind, String base64) {
        byte[] bytes;
        try {
            bytes = decode(base64);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("has a private key that cannot be read", e);
        }
        switch (kind) {
            case "PRIVATE KEY":
                return pkcs8(bytes);
            case "RSA PRIVATE KEY":
                return pkcs8(Der.pkcs8OfRsa(bytes));
            case "EC PRIVATE KEY":
                return pkcs8(Der.pkcs8OfEc(bytes));
            default:
                throw new IllegalArgumentException(
                        kind.startsWith("ENCRYPTED")
                                ? "has an encrypted private key, which is not supported"
                                : "has a private key of an unknown kind, " + kind);
        }
    }

    private static PrivateKey pkcs8(byte[] bytes) {
        PKCS8EncodedKeySpec spec = new PKCS8EncodedKeySpec(bytes);
        GeneralSecurityException last = null;
        for (String algorithm : ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(spec);
            } catch (InvalidKeySpecException e) {
                last = e;
            } catch (GeneralSecurityException e) {
                // This Java does not know the algorithm.
                last = last == null ? e : last;
            }
        }
        throw new IllegalArgumentException("has a private key that cannot be read", last);
    }

    private static byte[] decode(String base64) {
        return Base64.getMimeDecoder().decode(base64.getBytes(StandardCharsets.US_ASCII));
    }
}
