package io.fairlead.tls;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/** Puts the older forms of private keys into the one that Java reads, PKCS #8 (RFC 5208, 5). */
final class Der {
    private static final int SEQUENCE = 0x30;
    private static final int OCTETS = 0x04;
    private static final int PARAMETERS = 0xA0;
    private static final byte[] VERSION_0 = {2, 1, 0};
    /** rsaEncryption, 1.2.840.113549.1.1.1, with the null that are its parameters (RFC 3279, 2.3.1). */
    private static final byte[] RSA = {6, 9, 0x2A, (byte) 0x86, 0x48, (byte) 0x86, (byte) 0xF7, 0x0D, 1, 1, 1, 5, 0};
    /** id-ecPublicKey, 1.2.840.10045.2.1 (RFC 3279, 2.3.5). */
    private static final byte[] EC = {6, 7, 0x2A, (byte) 0x86, 0x48, (byte) 0xCE, 0x3D, 2, 1};

    private final byte[] bytes;
    private int at;

    private Der(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Of a PKCS #1 key (RFC 8017, A.1.2). */
    static byte[] pkcs8OfRsa(byte[] pkcs1) {
        return wrap(RSA, pkcs1);
    }

    /** Of a SEC 1 key (RFC 5915, 3), which names its curve as its parameters. */
    static byte[] pkcs8OfEc(byte[] sec1) {
        try {
            Der key = new Der(sec1);
            key.enter(SEQUENCE);
            key.skip();
            key.skip();
            byte[] curve = key.content(PARAMETERS);
            byte[] algorithm = Arrays.copyOf(EC, EC.length + curve.length);
            System.arraycopy(curve, 0, algorithm, EC.length, curve.length);
            return wrap(algorithm, sec1);
        } catch (ArrayIndexOutOfBoundsException | NegativeArraySizeException e) {
            throw new IllegalArgumentException("has a private key that cannot be read", e);
        }
    }

    private static byte[] wrap(byte[] algorithm, byte[] key) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(VERSION_0, 0, VERSION_0.length);
        put(out, SEQUENCE, algorithm);
        put(out, OCTETS, key);
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        put(whole, SEQUENCE, out.toByteArray());
        return whole.toByteArray();
    }

    private static void put(ByteArrayOutputStream out, int tag, byte[] content) {
        out.write(tag);
        int length = content.length;
        if (length < 0x80) {
            out.write(length);
        } else if (length < 0x100) {
            out.write(0x81);
            out.write(length);
        } else {
            out.write(0x82);
            out.write(length >> 8);
            out.write(length);
        }
        out.write(content, 0, length);
    }

    private void enter(int tag) {
        header(tag);
    }

    private void skip() {
        at++;
        int length = length();
        at += length;
    }

    private byte[] content(int tag) {
        int length = header(tag);
        if (length < 0 || length > bytes.length - at) {
            throw new IllegalArgumentException("has a private key that cannot be read");
        }
        return Arrays.copyOfRange(bytes, at, at + length);
    }

    private int header(int tag) {
        if ((bytes[at++] & 0xFF) != tag) {
            throw new IllegalArgumentException("has a private key that does not say its curve, or cannot be read");
        }
        return length();
    }

    private int length() {
        int first = bytes[at++] & 0xFF;
        if (first < 0x80) {
            return first;
        }
        int length = 0;
        for (int i = 0; i < (first & 0x7F); i++) {
            length = length << 8 | (bytes[at++] & 0xFF);
        }
        return length;
    }
}
