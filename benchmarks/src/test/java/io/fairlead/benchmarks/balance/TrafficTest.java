package io.fairlead.benchmarks.balance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class TrafficTest {
    @Test
    void theSameSeedGivesTheSameShares() {
        assertThat(Traffic.shares("p2c", Server.mixed(10))).isEqualTo(Traffic.shares("p2c", Server.mixed(10)));
    }

    @Test
    void smoothRoundRobinSharesExactlyByWeight() {
        double[] shares = Traffic.shares("wrr", Server.mixed(5));

        assertThat(Arrays.stream(shares).map(share -> share * 15 / 100).toArray())
                .containsExactly(new double[] {1, 2, 3, 4, 5}, within(0.001));
    }

    @Test
    void rendezvousHashingMovesNothingNeedlessly() {
        Disruption moved = Disruption.ofRemoval("hrw", 4);

        assertThat(moved.needless()).isZero();
        assertThat(moved.owed()).isEqualTo(25, within(0.001));
    }
}
