package io.fairlead.strategy;

import static io.fairlead.strategy.Pickers.picker;
import static io.fairlead.strategy.Pickers.sequence;
import static io.fairlead.strategy.Pickers.tried;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.RequestFacts;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class PriorityTest {
    private final Priority strategy = new Priority();

    @Test
    void theGreatestWeightGetsEverything() {
        assertThat(sequence(picker("priority", TestCandidate.of(1, 9, 3)), 5)).isEqualTo("bbbbb");
    }

    @Test
    void equalsOfTheGreatestWeightTakeTurns() {
        assertThat(sequence(picker("priority", TestCandidate.of(5, 1, 5, 2, 5)), 7))
                .isEqualTo("aceacea");
    }

    @Test
    void theNextWeightIsForRequestsThatHaveBeenToAllOfTheGreatest() {
        Picker picker = picker("priority", TestCandidate.of(5, 1, 5, 2, 2));
        assertThat(picker.pick(RequestFacts.NONE, tried("a")).id()).isEqualTo("c");
        assertThat(picker.pick(RequestFacts.NONE, tried("a", "c")).id()).isIn("d", "e");
        assertThat(picker.pick(RequestFacts.NONE, tried("a", "c", "d", "e")).id())
                .isEqualTo("b");
    }

    @Test
    void aNewListGoesOnWithTheServerWhoseTurnItIs() {
        List<TestCandidate> candidates = TestCandidate.of(2, 2, 2, 1);
        Picker first = picker(strategy, candidates, null);
        assertThat(sequence(first, 2)).isEqualTo("ab");
        Picker without =
                picker(strategy, Arrays.asList(candidates.get(3), candidates.get(2), candidates.get(0)), first);
        assertThat(sequence(without, 3)).isEqualTo("cac");
    }
}
