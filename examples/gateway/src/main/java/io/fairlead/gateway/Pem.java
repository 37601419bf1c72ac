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
import java.util.Collection;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A certificate chain and its private key, read from PEM files (RFC 7468) with the JDK's own classes. */
final class Pem {
    private static final Pattern KEY =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");
    private static final Pattern ANY_KEY = Pattern.compile("-----BEGIN ([A-Z0-9 ]*PRIVATE KEY)-----");

    private Pem() {}

    /** A key store in memory with the one entry, its password empty. */
    static KeyStore keyStore(Path certFile, Path keyFile) throws SetupException {
        Certificate[] chain = chain(certFile);
        PublicKey publicKey = chain[0].getPublicKey();
        PrivateKey key = key(keyFile, publicKey.getAlgorithm());
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

    private static Certificate[] chain(Path file) throws SetupException {
        try {
            Collection<? extends Certificate> chain =
                    CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(read(file)));
            if (chain.isEmpty()) {
                throw new SetupException(file + ": holds no certificate");
            }
            return chain.toArray(Certificate[]::new);
        } catch (CertificateException e) {
            throw new SetupException(file + ": not a chain of certificates in PEM: " + e.getMessage(), e);
        }
    }

    private static PrivateKey key(Path file, String algorithm) throws SetupException {
        String text = new String(read(file), StandardCharsets.ISO_8859_1);
        Matcher key = KEY.matcher(text);
        if (!key.find()) {
            Matcher other = ANY_KEY.matcher(text);
            throw new SetupException(
                    other.find()
                            ? file + ": is a '" + other.group(1)
                                    + "'; make it a 'PRIVATE KEY' with: openssl pkcs8 -topk8 -nocrypt"
                            : file + ": holds no private key in PEM");
        }
        try {
            byte[] der = Base64.getMimeDecoder().decode(key.group(1));
            return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(der));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new SetupException(file + ": not a private key for a certificate with " + algorithm, e);
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

    private static byte[] read(Path file) throws SetupException {
        try {
            return Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            throw new SetupException(file + ": no such file", e);
        } catch (IOException e) {
            throw new SetupException(file + ": cannot be read: " + e.getMessage(), e);
        }
    }
}
