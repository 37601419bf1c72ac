package io.fairlead.gateway;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A certificate chain and its private key, read from PEM files (RFC 7468) with the JDK's own classes. */
final class Pem {
    private static final Pattern KEY = Pattern.compile(
            "-----BEGIN ((?:RSA |EC |ENCRYPTED )?PRIVATE KEY)-----(.*?)-----END \\1-----", Pattern.DOTALL);
    private static final Pattern CERTIFICATE =
            Pattern.compile("-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\\s]+-----END CERTIFICATE-----");
    private static final Pattern ANY_KEY = Pattern.compile("-----BEGIN ([A-Z0-9 ]*PRIVATE KEY)-----");

    private Pem() {}

    /** A key store in memory with the one entry, its password empty. */
    static KeyStore keyStore(Path certFile, Path keyFile) throws SetupException {
        Certificate[] chain;
        try {
            chain = chain(certFile);
        } catch (SetupException e) {
            // The key's own mistakes are told beside it, as far as they can be seen without a certificate.
            try {
                keyBlock(keyFile);
            } catch (SetupException other) {
                e.addSuppressed(other);
            }
            throw e;
        }
        PublicKey publicKey = chain[0].getPublicKey();
        PrivateKey key = key(keyFile, publicKey);
        try {
            if (!belongTogether(key, publicKey)) {
                throw new SetupException(keyFile + ": not the key of the first certificate of " + certFile);
            }
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setKeyEntry("gateway", key, new char[0], chain);
            return store;
        } catch (GeneralSecurityException | IOException e) {
            throw new SetupException(keyFile + ": cannot be used: " + e.getMessage(), e);
        }
    }

    /** The certificates alone: the key may stand in the same file. */
    private static Certificate[] chain(Path file) throws SetupException {
        StringBuilder blocks = new StringBuilder();
        Matcher block = CERTIFICATE.matcher(text(file));
        while (block.find()) {
            blocks.append(block.group()).append('\n');
        }
        if (blocks.isEmpty()) {
            throw new SetupException(file + ": holds no certificate in PEM");
        }
        try {
            return CertificateFactory.getInstance("X.509")
                    .generateCertificates(
                            new ByteArrayInputStream(blocks.toString().getBytes(StandardCharsets.ISO_8859_1)))
                    .toArray(Certificate[]::new);
        } catch (CertificateException e) {
            throw new SetupException(file + ": not a chain of certificates in PEM: " + e.getMessage(), e);
        }
    }

    /** Finds the first private key, in any of the forms that OpenSSL writes: PKCS#8, PKCS#1 (RSA), SEC 1 (EC). */
    private static Matcher keyBlock(Path file) throws SetupException {
        String text = text(file);
        Matcher key = KEY.matcher(text);
        if (!key.find()) {
            Matcher other = ANY_KEY.matcher(text);
            throw new SetupException(
                    other.find()
                            ? file + ": a '" + other.group(1) + "' that cannot be read"
                            : file + ": holds no private key in PEM");
        }
        if (key.group(1).startsWith("ENCRYPTED") || key.group(2).contains("ENCRYPTED")) {
            throw new SetupException(file + ": the private key is encrypted; decrypt it with: openssl pkey -in FILE");
        }
        return key;
    }

    private static PrivateKey key(Path file, PublicKey publicKey) throws SetupException {
        Matcher key = keyBlock(file);
        String form = key.group(1);
        String algorithm = publicKey.getAlgorithm();
        SetupException other = new SetupException(file + ": not a private key for a certificate with " + algorithm);
        if (form.contains(" ") && !form.equals("PRIVATE KEY") && !form.startsWith(algorithm + " ")) {
            throw other;
        }
        try {
            byte[] der = Base64.getMimeDecoder().decode(key.group(2));
            byte[] pkcs8 = form.equals("PRIVATE KEY") ? der : Der.pkcs8(publicKey.getEncoded(), der);
            return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            other.initCause(e);
            throw other;
        }
    }

    private static boolean belongTogether(PrivateKey key, PublicKey publicKey) throws GeneralSecurityException {
        String algorithm = switch (publicKey.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> publicKey.getAlgorithm();
        };
        byte[] message = {1};
        Signature signature = Signature.getInstance(algorithm);
        signature.initSign(key);
        signature.update(message);
        byte[] signed = signature.sign();
        signature.initVerify(publicKey);
        signature.update(message);
        try {
            return signature.verify(signed);
        } catch (SignatureException e) {
            // Of another size than this key's signatures have.
            return false;
        }
    }

    private static String text(Path file) throws SetupException {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (NoSuchFileException e) {
            throw new SetupException(file + ": no such file", e);
        } catch (IOException e) {
            throw new SetupException(file + ": cannot be read: " + e.getMessage(), e);
        }
    }
}
