package io.fairlead.benchmarks.strategies;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.benchmarks.Fleet;
import io.fairlead.benchmarks.Key;
import io.fairlead.benchmarks.Keys;
import io.fairlead.benchmarks.Subject;
import io.fairlead.benchmarks.Weighting;
import io.fairlead.strategy.Strategies;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("thorough")
class CatalogueTest {
    static List<String> names() {
        return Catalogue.all().stream().map(Entry::name).toList();
    }

    @ParameterizedTest
    @MethodSource("names")
    void everySubjectPicksServersOfAMixedFleet(String name) {
        Entry entry = Catalogue.named(name);
        Subject subject = entry.build(new Fleet(10, Weighting.MIXED));

        // The load does not change here, so that those who look for the least of all stay with one server.
        int atLeast = List.of("least-requests", "leasttime").contains(entry.algorithm()) ? 1 : 2;
        assertThat(picks(subject, 2).size()).isBetween(atLeast, 10);
    }

    @Test
    void namesAreDistinctAndEveryStrategyIsMeasured() {
        assertThat(names()).doesNotHaveDuplicates().containsAll(Strategies.names());
    }

    @Test
    void gRpcTakesTheWeightsThatAreReported() {
        Subject subject = Catalogue.named("grpc-weighted").build(new Fleet(5, Weighting.MIXED));

        assertThat(picks(subject, 15).values())
                .allSatisfy(count -> assertThat(count % 1024).isZero());
        assertThat(picks(subject, 15).values().stream().mapToInt(i -> i / 1024).sorted())
                .containsExactly(1, 2, 3, 4, 5);
    }

    private static Map<Object, Integer> picks(Subject subject, int rounds) {
        Map<Object, Integer> picks = new HashMap<>();
        for (int i = 0; i < rounds; i++) {
            for (Key key : Keys.all()) {
                picks.merge(subject.pick(key), 1, Integer::sum);
            }
        }
        return picks;
    }
}
