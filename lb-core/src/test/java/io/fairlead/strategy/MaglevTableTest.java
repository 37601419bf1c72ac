package io.fairlead.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MaglevTableTest {
    /** Table 1 of the paper: three backends with (offset, skip) of (3, 4), (0, 2), (3, 1), and seven slots. */
    @Test
    void thePapersExampleGivesThePapersTable() {
        int[] slots = MaglevTable.fill(new int[] {3, 0, 3}, new int[] {4, 2, 1}, new int[] {1, 1, 1}, 7);
        assertThat(slots).containsExactly(1, 0, 1, 0, 2, 2, 0);
    }

    /** The same, without backend 1. */
    @Test
    void thePapersExampleAfterARemovalGivesThePapersTable() {
        int[] slots = MaglevTable.fill(new int[] {3, 3}, new int[] {4, 1}, new int[] {1, 1}, 7);
        assertThat(slots).containsExactly(0, 0, 0, 0, 1, 1, 1);
    }

    @Test
    void slotsAreSharedByWeight() {
        int[] weights = {1, 2, 3, 10, 84};
        List<TestCandidate> candidates = TestCandidate.of(weights);
        MaglevTable table = MaglevTable.of(Servers.byId(new ArrayList<>(candidates)), weights, 65_537);
        int[] slots = new int[weights.length];
        for (int i = 0; i < 65_537; i++) {
            slots[table.serverAt(i)]++;
        }
        for (int i = 0; i < weights.length; i++) {
            assertThat((double) slots[i]).isBetween(655.37 * weights[i] - 5, 655.37 * weights[i] + 2);
        }
    }

    @Test
    void aServerOfTheLeastWeightBesideTheGreatestStillHasASlot() {
        int[] weights = {1, 65_535, 1};
        int[] slots = MaglevTable.fill(new int[] {5, 7, 9}, new int[] {1, 1, 1}, weights, 251);
        assertThat(slots).contains(0, 1, 2);
    }

    @Test
    void theTableOfManyServersIsLarger() {
        for (int count : new int[] {6_553, 6_554}) {
            List<TestCandidate> candidates = TestCandidate.equal(count);
            Candidate[] servers = Servers.byId(new ArrayList<>(candidates));
            MaglevTable table = MaglevTable.of(servers, Servers.weights(servers), 0);
            int size = count == 6_553 ? 65_537 : 262_147;
            assertThat(Primes.isPrime(size)).isTrue();
            assertThat(table.next(size - 1)).isZero();
            assertThat(table.next(size - 2)).isEqualTo(size - 1);
        }
    }
}
