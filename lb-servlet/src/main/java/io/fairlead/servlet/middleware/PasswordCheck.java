package io.fairlead.servlet.middleware;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Checks passwords against hashes that take long to compute, each pair of user and password once: what has been computed
 * is remembered, good and bad apart, so that guesses push no user out. What is remembered is a keyed digest, never a
 * password, and counts only while the user's hash is the same.
 *
 * <p>No more hashes are computed at a time than there are processors; a few requests wait for their turn, no longer than
 * a second, and those beyond are told to come again. So a flood of guesses cannot take all of a container's threads.
 *
 * <p>Safe for use from any thread.
 */
final class PasswordCheck {
    private static final int GOOD = 10_000;
    private static final int BAD = 1_000;
    private static final Duration REMEMBERED = Duration.ofMinutes(10);
    private static final long PATIENCE_MILLIS = 1_000;

    private final SecretKeySpec key = key();
    private final Cache<ByteBuffer, PasswordHash> good = cache(GOOD);
    private final Cache<ByteBuffer, PasswordHash> bad = cache(BAD);
    private final ConcurrentMap<ByteBuffer, CompletableFuture<Verdict>> underWay = new ConcurrentHashMap<>();
    private final HashTurns turns;

    /** What is known of a password. */
    enum Verdict {
        GOOD,
        BAD,
        /** Too many are being checked. */
        BUSY
    }

    /** @param turns who may compute, here and elsewhere */
    PasswordCheck(HashTurns turns) {
        this.turns = turns;
    }

    private static Cache<ByteBuffer, PasswordHash> cache(int size) {
        return Caffeine.newBuilder()
                .maximumSize(size)
                .expireAfterWrite(REMEMBERED)
                .executor(Runnable::run)
                .build();
    }

    private static SecretKeySpec key() {
        byte[] random = new byte[32];
        new SecureRandom().nextBytes(random);
        return new SecretKeySpec(random, "HmacSHA256");
    }

    /** Whether the password is that of the user, who may not exist. */
    Verdict check(Users users, String name, byte[] password) {
        PasswordHash own = users.hash(name);
        PasswordHash hash = own == null ? users.decoy() : own;
        if (hash == null) {
            return Verdict.BAD;
        }
        Verdict verdict = hash.isSlow() ? slow(hash, name, password) : verdict(hash.matches(password));
        return verdict == Verdict.GOOD && own == null ? Verdict.BAD : verdict;
    }

    private Verdict slow(PasswordHash hash, String name, byte[] password) {
        ByteBuffer digest = digest(name, password);
        if (hash.equals(good.getIfPresent(digest))) {
            return Verdict.GOOD;
        }
        if (hash.equals(bad.getIfPresent(digest))) {
            return Verdict.BAD;
        }
        CompletableFuture<Verdict> mine = new CompletableFuture<>();
        CompletableFuture<Verdict> other = underWay.putIfAbsent(digest, mine);
        if (other != null) {
            return await(other);
        }
        Verdict verdict = Verdict.BUSY;
        try {
            verdict = compute(hash, password);
            if (verdict != Verdict.BUSY) {
                (verdict == Verdict.GOOD ? good : bad).put(digest, hash);
            }
        } finally {
            underWay.remove(digest, mine);
            mine.complete(verdict);
        }
        return verdict;
    }

    private Verdict compute(PasswordHash hash, byte[] password) {
        try {
            if (!turns.take(PATIENCE_MILLIS)) {
                return Verdict.BUSY;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Verdict.BUSY;
        }
        try {
            return verdict(hash.matches(password));
        } finally {
            turns.done();
        }
    }

    /** Another request with the same user and password is being checked; with another hash of late, at worst. */
    private Verdict await(CompletableFuture<Verdict> other) {
        if (!turns.enterLine()) {
            return Verdict.BUSY;
        }
        try {
            return other.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Verdict.BUSY;
        } catch (ExecutionException | TimeoutException e) {
            return Verdict.BUSY;
        } finally {
            turns.leaveLine();
        }
    }

    private static Verdict verdict(boolean matches) {
        return matches ? Verdict.GOOD : Verdict.BAD;
    }

    private ByteBuffer digest(String name, byte[] password) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(key);
            mac.update(name.getBytes(StandardCharsets.UTF_8));
            mac.update((byte) 0);
            return ByteBuffer.wrap(mac.doFinal(password));
        } catch (GeneralSecurityException e) {
            // Every Java has it.
            throw new IllegalStateException(e);
        }
    }

    /** How many hashes have been found to be good; for tests. */
    long remembered() {
        good.cleanUp();
        bad.cleanUp();
        return good.estimatedSize() + bad.estimatedSize();
    }
}
