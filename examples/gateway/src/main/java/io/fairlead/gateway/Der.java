package io.fairlead.gateway;

import java.io.ByteArrayOutputStream;

/** The little of ASN.1 that wraps a bare private key (RFC 8017, A.1.2; RFC 5915) as PKCS#8 (RFC 5208) has it. */
final class Der {
    private static final int SEQUENCE = 0x30;
    private static final int OCTETS = 0x04;
    private static final byte[] VERSION_0 = {0x02, 0x01, 0x00};

    private Der() {}

    /**
     * A private key with its algorithm.
     *
     * @param publicKey the public key as X.509 has it, which names the algorithm and, of an elliptic curve, which one
     * @param privateKey the bare private key
     * @throws IllegalArgumentException the public key is none
     */
    static byte[] pkcs8(byte[] publicKey, byte[] privateKey) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        content.writeBytes(VERSION_0);
        content.writeBytes(algorithm(publicKey));
        content.writeBytes(value(OCTETS, privateKey));
        return value(SEQUENCE, content.toByteArray());
    }

    /** The first element of the sequence. */
    private static byte[] algorithm(byte[] publicKey) {
        int start = content(publicKey, 0);
        int end = content(publicKey, start) + length(publicKey, start);
        byte[] algorithm = new byte[end - start];
        System.arraycopy(publicKey, start, algorithm, 0, algorithm.length);
        return algorithm;
    }

    private static int content(byte[] der, int at) {
        if (at + 1 >= der.length || der[at] != SEQUENCE) {
            throw new IllegalArgumentException("not a public key in DER");
        }
        int first = der[at + 1] & 0xFF;
        return at + 2 + (first < 0x80 ? 0 : first & 0x7F);
    }

    private static int length(byte[] der, int at) {
        int first = der[at + 1] & 0xFF;
        if (first < 0x80) {
            return first;
        }
        int length = 0;
        for (int i = at + 2; i < content(der, at); i++) {
            length = (length << 8) | (der[i] & 0xFF);
        }
        return length;
    }

    private static byte[] value(int tag, byte[] content) {
        ByteArrayOutputStream value = new ByteArrayOutputStream();
        value.write(tag);
        if (content.length < 0x80) {
            value.write(content.length);
        } else if (content.length < 0x100) {
            value.write(0x81);
            value.write(content.length);
        } else {
            value.write(0x82);
            value.write(content.length >> 8);
            value.write(content.length);
        }
        value.writeBytes(content);
        return value.toByteArray();
    }
}
