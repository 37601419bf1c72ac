package io.fairlead.tls;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.util.List;

/** A digest of several values, each with its length, so that none runs into the next. */
final class Fingerprint {
    private final MessageDigest digest;

    Fingerprint() throws GeneralSecurityException {
        // Every Java has it.
        digest = MessageDigest.getInstance("SHA-256");
    }

    void add(int number) {
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, number));
    }

    void add(byte[] value) {
        add(value.length);
        digest.update(value);
    }

    void add(List<X509Certificate> certificates) throws GeneralSecurityException {
        add(certificates.size());
        for (X509Certificate certificate : certificates) {
            add(certificate.getEncoded());
        }
    }

    /** The digest; it is at its end then. */
    byte[] toBytes() {
        return digest.digest();
    }
}
