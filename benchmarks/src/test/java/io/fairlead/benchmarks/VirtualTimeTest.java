package io.fairlead.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.Scheduler;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class VirtualTimeTest {
    private final VirtualTime time = new VirtualTime();
    private final List<String> ran = new ArrayList<>();

    @Test
    void whatIsDueRunsInOrderEachAtItsOwnMoment() {
        note("second", 20);
        note("first", 10);
        note("third", 20);
        note("later", 31);

        time.moveTo(30);

        assertThat(ran).containsExactly("first at 10", "second at 20", "third at 20");
        assertThat(time.nanoTime()).isEqualTo(30);
    }

    @Test
    void aTaskMaySetTheNextTimer() {
        time.schedule(() -> note("next", 5), 10);

        time.moveTo(15);

        assertThat(ran).containsExactly("next at 15");
    }

    @Test
    void aCancelledTaskDoesNotRunAndMovesNoTime() {
        Scheduler.Timer timer = note("cancelled", 10);
        timer.cancel();

        assertThat(time.runNext()).isTrue();
        assertThat(time.runNext()).isFalse();
        assertThat(ran).isEmpty();
        assertThat(time.nanoTime()).isZero();
    }

    @Test
    void nothingRunsAfterTheEnd() {
        note("before", 10);
        time.close();
        note("after", 10);

        time.moveTo(20);

        assertThat(ran).isEmpty();
    }

    @Test
    void whatWouldBlockIsRefused() {
        assertThatThrownBy(() -> time.blocking().execute(() -> {})).isInstanceOf(UnsupportedOperationException.class);
    }

    private Scheduler.Timer note(String what, long delay) {
        return time.schedule(() -> ran.add(what + " at " + time.nanoTime()), delay);
    }
}
