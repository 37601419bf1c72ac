package io.fairlead.sticky;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * The key of the cookies' values. One that is made by chance is made when it is first needed, which is never where no
 * client is kept on anything, as in the agent.
 *
 * <p>Safe for use from any thread; never shows itself.
 */
public final class StickyKey {
    private static final String ALGORITHM = "HmacSHA256";
    private static final int RANDOM_BYTES = 32;

    // Guarded by this; null: not made yet.
    private byte @Nullable [] bytes;

    private StickyKey(byte @Nullable [] bytes) {
        this.bytes = bytes;
    }

    /** A key that nobody else has. */
    public static StickyKey random() {
        return new StickyKey(null);
    }

    static StickyKey of(String secret) {
        return new StickyKey(secret.getBytes(StandardCharsets.UTF_8));
    }

    /** HMAC-SHA256 of a text: 32 bytes. */
    byte[] mac(String text) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(bytes(), ALGORITHM));
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
        }
    }

    private synchronized byte[] bytes() {
        if (bytes == null) {
            bytes = new byte[RANDOM_BYTES];
            new SecureRandom().nextBytes(bytes);
        }
        return bytes;
    }

    @Override
    public String toString() {
        return "StickyKey";
    }
}
