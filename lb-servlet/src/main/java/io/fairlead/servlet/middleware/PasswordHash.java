package io.fairlead.servlet.middleware;

import at.favre.lib.crypto.bcrypt.BCrypt;
import at.favre.lib.crypto.bcrypt.LongPasswordStrategies;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.commons.codec.digest.Crypt;
import org.apache.commons.codec.digest.Md5Crypt;
import org.jspecify.annotations.Nullable;

/**
 * The hash of a password in one of the forms that {@code htpasswd} writes: bcrypt ({@code $2y$}), {@code $apr1$}, {@code
 * $1$}, {@code $5$}, {@code $6$} and {@code {SHA}}. Comparisons take the same time wherever they differ.
 *
 * <p>Immutable; equal by text.
 */
final class PasswordHash {
    private static final Pattern BCRYPT = Pattern.compile("\\$2[abxy]\\$(0[4-9]|1[0-8])\\$[./A-Za-z0-9]{53}");
    private static final Pattern APR1 = Pattern.compile("\\$apr1\\$[./A-Za-z0-9]{1,8}\\$[./A-Za-z0-9]{22}");
    private static final Pattern MD5 = Pattern.compile("\\$1\\$[./A-Za-z0-9]{1,8}\\$[./A-Za-z0-9]{22}");
    private static final Pattern SHA2 =
            Pattern.compile("\\$(5\\$(rounds=[0-9]{4,7}\\$)?[./A-Za-z0-9]{1,16}\\$[./A-Za-z0-9]{43}"
                    + "|6\\$(rounds=[0-9]{4,7}\\$)?[./A-Za-z0-9]{1,16}\\$[./A-Za-z0-9]{86})");
    private static final Pattern SHA1 = Pattern.compile("\\{SHA\\}[A-Za-z0-9+/]{27}=");

    private static final Pattern ROUNDS = Pattern.compile("^\\$[56]\\$rounds=([0-9]{4,7})\\$");

    private final String text;
    private final Kind kind;

    private enum Kind {
        BCRYPT,
        APR1,
        CRYPT,
        SHA1
    }

    private PasswordHash(String text, Kind kind) {
        this.text = text;
        this.kind = kind;
    }

    /** Reads a hash; null when it is in no form that is known. */
    static @Nullable PasswordHash parse(String text) {
        if (BCRYPT.matcher(text).matches()) {
            return new PasswordHash(text, Kind.BCRYPT);
        }
        if (APR1.matcher(text).matches()) {
            return new PasswordHash(text, Kind.APR1);
        }
        if (MD5.matcher(text).matches() || SHA2.matcher(text).matches()) {
            return new PasswordHash(text, Kind.CRYPT);
        }
        return SHA1.matcher(text).matches() ? new PasswordHash(text, Kind.SHA1) : null;
    }

    /** Whether it is made so that a check takes long. */
    boolean isSlow() {
        return kind != Kind.SHA1;
    }

    /** How long a check takes, roughly, in comparison with others. */
    long weight() {
        return switch (kind) {
            case BCRYPT -> 60_000L << Integer.parseInt(text.substring(4, 6));
            case APR1 -> 300_000;
            case CRYPT -> text.startsWith("$1$") ? 300_000 : 1_000L * rounds();
            case SHA1 -> 1_000;
        };
    }

    private int rounds() {
        Matcher told = ROUNDS.matcher(text);
        return told.find() ? Integer.parseInt(told.group(1)) : 5_000;
    }

    /** Whether it is the hash of this password; takes from a microsecond to seconds, as its kind and cost are. */
    boolean matches(byte[] password) {
        return switch (kind) {
            case BCRYPT -> bcrypt(password);
            case APR1 -> isEqual(Md5Crypt.apr1Crypt(password.clone(), text));
            case CRYPT -> isEqual(Crypt.crypt(password.clone(), text));
            case SHA1 ->
                MessageDigest.isEqual(sha1(password), Base64.getDecoder().decode(text.substring(5)));
        };
    }

    private boolean bcrypt(byte[] password) {
        if (password.length == 0) {
            return false;
        }
        return BCrypt.verifyer(null, LongPasswordStrategies.truncate(BCrypt.Version.VERSION_2Y))
                .verify(password, text.getBytes(StandardCharsets.US_ASCII))
                .verified;
    }

    private boolean isEqual(String computed) {
        return MessageDigest.isEqual(
                computed.getBytes(StandardCharsets.US_ASCII), text.getBytes(StandardCharsets.US_ASCII));
    }

    private static byte[] sha1(byte[] password) {
        try {
            return MessageDigest.getInstance("SHA-1").digest(password);
        } catch (NoSuchAlgorithmException e) {
            // Every Java has it.
            throw new IllegalStateException(e);
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof PasswordHash that && text.equals(that.text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    /** Without the hash, which is nobody's business. */
    @Override
    public String toString() {
        return "PasswordHash{" + kind + "}";
    }
}
