package io.fairlead.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JumpTableTest {
    /** From the tests of github.com/lithammer/go-jump-consistent-hash, made with the C++ of the paper. */
    @ParameterizedTest
    @CsvSource({
        "1, 1, 0",
        "42, 57, 43",
        "0xDEAD10CC, 1, 0",
        "0xDEAD10CC, 666, 361",
        "256, 1024, 520",
        "128, 2147483648, 1644467860"
    })
    void keysJumpAsInThePapersCode(String key, long buckets, long bucket) {
        assertThat(JumpTable.bucket(Long.decode(key), buckets)).isEqualTo(bucket);
    }

    @Test
    void anAddedBucketTakesItsShareFromAllOthersAndMovesNothingElse() {
        List<TestCandidate> shares = TestCandidate.equal(10);
        Map<String, Integer> taken = new TreeMap<>();
        for (long key = 0; key < 100_000; key++) {
            long hash = XxHash64.hash(key, 0);
            long before = JumpTable.bucket(hash, 10);
            long after = JumpTable.bucket(hash, 11);
            if (after != before) {
                assertThat(after).isEqualTo(10);
                taken.merge(shares.get((int) before).id(), 1, Integer::sum);
            }
        }
        assertThat(taken.values().stream().mapToInt(Integer::intValue).sum()).isBetween(8_700, 9_500);
        assertThat(ChiSquare.deviation(taken, shares, false)).isBetween(-3.0, 3.0);
    }
}
