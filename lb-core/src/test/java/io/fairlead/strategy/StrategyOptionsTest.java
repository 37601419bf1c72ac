package io.fairlead.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class StrategyOptionsTest {
    private static final StrategyOptions DEFAULT = StrategyOptions.DEFAULT;

    @Test
    void everyOptionIsKeptBesideTheOthers() {
        StrategyOptions all = DEFAULT.withHashBy("$host")
                .withChoices(3)
                .withPointsPerServer(99)
                .withHashFunction("CRC32")
                .withTableSize(251)
                .withDecay(Duration.ofSeconds(3))
                .withBoundedLoad(1.25);
        assertThat(all.hashBy()).isEqualTo("$host");
        assertThat(all.choices()).isEqualTo(3);
        assertThat(all.pointsPerServer()).isEqualTo(99);
        assertThat(all.hashFunction()).isEqualTo("crc32");
        assertThat(all.tableSize()).isEqualTo(251);
        assertThat(all.decay()).isEqualTo(Duration.ofSeconds(3));
        assertThat(all.boundedLoad()).isEqualTo(1.25);
        assertThat(all.toString()).contains("$host", "3", "99", "crc32", "251", "PT3S", "1.25");
    }

    @Test
    void optionsAreEqualByValue() {
        assertThat(DEFAULT.withChoices(3).withTableSize(251))
                .isEqualTo(DEFAULT.withTableSize(251).withChoices(3))
                .hasSameHashCodeAs(DEFAULT.withTableSize(251).withChoices(3))
                .isNotEqualTo(DEFAULT.withTableSize(251));
        assertThat(DEFAULT.withChoices(3).withChoices(0)).isEqualTo(DEFAULT);
        assertThat(DEFAULT.withBoundedLoad(2)).isNotEqualTo(DEFAULT);
        assertThat(DEFAULT.withBoundedLoad(-0.0)).isEqualTo(DEFAULT).hasSameHashCodeAs(DEFAULT);
        assertThat(DEFAULT.withDecay(Duration.ofSeconds(1))).isNotEqualTo(DEFAULT);
    }

    @Test
    void aValueOutOfItsRangeIsRefusedWithTheRange() {
        refused(o -> o.withChoices(1), "choices 1 is not between 2 and 1000000");
        refused(o -> o.withChoices(-1), "choices -1 is not between 2 and 1000000");
        refused(o -> o.withPointsPerServer(0), "pointsPerServer 0 is not between 1 and 10000");
        refused(o -> o.withTableSize(2), "tableSize 2 is not between 3 and 5000011");
        refused(o -> o.withTableSize(65_536), "tableSize 65536 is not a prime; the next is 65537");
        refused(o -> o.withDecay(Duration.ZERO), "decay PT0S is not between 1ms and 1h");
        refused(o -> o.withDecay(Duration.ofHours(2)), "decay PT2H is not between 1ms and 1h");
        refused(o -> o.withBoundedLoad(0.9), "boundedLoad 0.9 is neither 0 nor between 1 and 100");
        refused(o -> o.withBoundedLoad(Double.NaN), "boundedLoad NaN is neither 0 nor between 1 and 100");
        refused(o -> o.withHashFunction("xxhash"), "unknown hash function 'xxhash'; did you mean 'xxhash64'?");
        refused(o -> o.withHashBy("$hots"), "hash key '$hots': unknown variable '$hots'; did you mean '$host'?");
    }

    private static void refused(Function<StrategyOptions, StrategyOptions> change, String message) {
        assertThatThrownBy(() -> change.apply(DEFAULT))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }
}
