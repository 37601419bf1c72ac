package io.fairlead.servlet.middleware;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Enumeration;
import org.jspecify.annotations.Nullable;

/** A user and a password, as {@code Authorization} carries them (RFC 7617). */
final class BasicCredentials {
    private static final String SCHEME = "Basic ";

    private final String user;
    private final byte[] password;

    private BasicCredentials(String user, byte[] password) {
        this.user = user;
        this.password = password;
    }

    /** Reads the fields; null unless there is exactly one, and it is of this scheme and well-formed. */
    static @Nullable BasicCredentials of(Enumeration<String> fields) {
        if (!fields.hasMoreElements()) {
            return null;
        }
        String field = fields.nextElement();
        if (fields.hasMoreElements() || !field.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return null;
        }
        byte[] bytes;
        try {
            bytes = Base64.getDecoder().decode(field.substring(SCHEME.length()).strip());
        } catch (IllegalArgumentException e) {
            // Not base64: no credentials.
            return null;
        }
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == ':') {
                return new BasicCredentials(
                        text(Arrays.copyOf(bytes, i)), Arrays.copyOfRange(bytes, i + 1, bytes.length));
            }
        }
        return null;
    }

    /** Clients send names as UTF-8, and old ones as Latin-1. */
    private static String text(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            // No UTF-8, then.
            return new String(bytes, StandardCharsets.ISO_8859_1);
        }
    }

    String user() {
        return user;
    }

    /** The password's bytes, as the client encoded them. */
    byte[] password() {
        return password;
    }
}
