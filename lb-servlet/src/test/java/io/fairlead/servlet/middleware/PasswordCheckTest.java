package io.fairlead.servlet.middleware;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.servlet.middleware.PasswordCheck.Verdict;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class PasswordCheckTest {
    /** Of "myPassword"; takes milliseconds. */
    private static final String FAST = "$2y$05$c4WoMPo3SXsafkva.HHa6uXQZWr7oboPiC2bT/r7q1BB8I2s0BRqC";

    private final HashTurns turns = new HashTurns(2);
    private final PasswordCheck check = new PasswordCheck(turns);

    private static Users users(String... entries) {
        return Users.of(Arrays.stream(entries).map(Users::entry).toList());
    }

    private Verdict check(Users users, String name, String password) {
        return check.check(users, name, password.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void aUserIsKnownByHisPasswordOnly() {
        Users users = users("ann:" + FAST, "bob:{SHA}VBPuJHI7uixaa6LQGWx4s+5GKNE=");

        for (int i = 0; i < 2; i++) {
            assertThat(check(users, "ann", "myPassword")).isEqualTo(Verdict.GOOD);
            assertThat(check(users, "bob", "myPassword")).isEqualTo(Verdict.GOOD);
            assertThat(check(users, "ann", "other")).isEqualTo(Verdict.BAD);
            // As the decoy's password, too.
            assertThat(check(users, "eve", "myPassword")).isEqualTo(Verdict.BAD);
            assertThat(check(users, "", "")).isEqualTo(Verdict.BAD);
        }
    }

    @Test
    void nobodyIsLetInByAnothersCacheEntry() {
        // The pairs have the same characters in a row.
        Users users = users("ann:" + FAST, "a:" + FAST);

        assertThat(check(users, "ann", "myPassword")).isEqualTo(Verdict.GOOD);
        assertThat(check(users, "a", "nnmyPassword")).isEqualTo(Verdict.BAD);
        assertThat(check(users, "annm", "yPassword")).isEqualTo(Verdict.BAD);
    }

    @Test
    void aPasswordThatWasChangedIsForgotten() {
        assertThat(check(users("ann:" + FAST), "ann", "myPassword")).isEqualTo(Verdict.GOOD);
        assertThat(check(
                        users("ann:$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW"), "ann", "myPassword"))
                .isEqualTo(Verdict.BAD);
        assertThat(check(users("ann:$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW"), "ann", "U*U"))
                .isEqualTo(Verdict.GOOD);
    }

    @Test
    @Tag("long")
    void whatIsRememberedIsBounded() {
        Users users = users("ann:$1$saltsalt$tTWg0JeO/sYmHvtKmZE8c.");
        for (int i = 0; i < 1_100; i++) {
            check(users, "user" + i, "guess");
        }

        assertThat(check.remembered()).isLessThanOrEqualTo(1_001);
    }

    @Test
    void aFloodOfGuessesIsSentAwayAndHoldsNobodyUpWhoIsKnown() throws Exception {
        // Each takes some hundred milliseconds.
        Users users = users("ann:$2y$12$c4WoMPo3SXsafkva.HHa6uXQZWr7oboPiC2bT/r7q1BB8I2s0BRqC", "bob:" + FAST);
        assertThat(check(users, "bob", "myPassword")).isEqualTo(Verdict.GOOD);
        ExecutorService threads = Executors.newFixedThreadPool(30);
        try {
            CountDownLatch ready = new CountDownLatch(30);
            List<Future<Verdict>> guesses = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                String guess = "guess" + i;
                guesses.add(threads.submit(() -> {
                    ready.countDown();
                    ready.await();
                    return check(users, "ann", guess);
                }));
            }
            ready.await();
            assertThat(check(users, "bob", "myPassword")).isEqualTo(Verdict.GOOD);
            List<Verdict> verdicts = new ArrayList<>();
            for (Future<Verdict> guess : guesses) {
                verdicts.add(guess.get(30, TimeUnit.SECONDS));
            }
            // Two are computed, eight may wait; the others are told at once.
            assertThat(verdicts).contains(Verdict.BAD, Verdict.BUSY).doesNotContain(Verdict.GOOD);
            assertThat(verdicts.stream().filter(Verdict.BUSY::equals)).hasSizeGreaterThanOrEqualTo(10);
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void theSamePasswordIsComputedOnceAtATime() throws Exception {
        Users users = users("ann:$2y$10$c4WoMPo3SXsafkva.HHa6uXQZWr7oboPiC2bT/r7q1BB8I2s0BRqC");
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Future<Verdict>> same = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                same.add(threads.submit(() -> check(users, "ann", "wrong")));
            }
            for (Future<Verdict> each : same) {
                assertThat(each.get(10, TimeUnit.SECONDS)).isEqualTo(Verdict.BAD);
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(turns.taken()).isEqualTo(1);
    }

    @Test
    void whoIsNoUserCostsAsMuchAsTheSlowestHash() {
        Users users =
                users("bob:{SHA}VBPuJHI7uixaa6LQGWx4s+5GKNE=", "ann:" + FAST, "amy:$1$saltsalt$tTWg0JeO/sYmHvtKmZE8c.");

        assertThat(users.decoy()).isEqualTo(users.hash("ann"));
    }
}
