package io.fairlead.tls;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;

/** Whether two keys are a pair: what one signs, the other must verify. */
final class KeyPairs {
    private static final byte[] TEXT = {'f', 'a', 'i', 'r', 'l', 'e', 'a', 'd'};

    private KeyPairs() {}

    static boolean belong(PublicKey publicKey, PrivateKey privateKey) {
        String algorithm = signature(publicKey.getAlgorithm());
        if (!publicKey.getAlgorithm().equals(privateKey.getAlgorithm())) {
            return false;
        }
        try {
            Signature signing = Signature.getInstance(algorithm);
            signing.initSign(privateKey);
            signing.update(TEXT);
            byte[] signed = signing.sign();
            Signature verifying = Signature.getInstance(algorithm);
            verifying.initVerify(publicKey);
            verifying.update(TEXT);
            return verifying.verify(signed);
        } catch (GeneralSecurityException e) {
            // A key that cannot sign is none for a handshake either.
            return false;
        }
    }

    private static String signature(String key) {
        switch (key) {
            case "RSA":
                return "SHA256withRSA";
            case "EC":
                return "SHA256withECDSA";
            case "DSA":
                return "SHA256withDSA";
            default:
                return key;
        }
    }
}
