package io.fairlead.strategy;

import static io.fairlead.strategy.Pickers.picker;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.RequestFacts;
import io.fairlead.Tried;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds for each strategy. */
class EveryStrategyTest {
    static List<String> names() {
        return Strategies.names();
    }

    @ParameterizedTest
    @MethodSource("names")
    void carriesItsName(String name) {
        assertThat(Strategies.create(name, StrategyOptions.DEFAULT).name()).isEqualTo(name);
    }

    @ParameterizedTest
    @MethodSource("names")
    void picksACandidateThatHasNotBeenTriedWhileThereIsOne(String name) {
        SplittableRandom random = new SplittableRandom(17);
        for (int round = 0; round < 150; round++) {
            int[] weights = random.ints(1 + random.nextInt(12), 1, 2 + random.nextInt(30))
                    .toArray();
            if (round % 30 == 0) {
                weights[0] = 65_535;
            }
            List<TestCandidate> candidates = TestCandidate.of(weights);
            Picker picker = picker(name, candidates);
            for (int i = 0; i < 15; i++) {
                shake(candidates, random);
                RequestFacts request =
                        random.nextInt(3) == 0 ? RequestFacts.NONE : Pickers.from("10.0.0." + random.nextInt(99));
                Tried tried = Tried.NONE;
                List<Candidate> left = new ArrayList<>(candidates);
                while (!left.isEmpty()) {
                    Candidate picked = picker.pick(request, tried);
                    assertThat(left).contains(picked);
                    left.remove(picked);
                    if (tried.isEmpty()) {
                        tried = Tried.create();
                    }
                    tried.add(picked.id());
                }
                assertThat(picker.pick(request, tried)).isNull();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("names")
    void oneServerGetsEverything(String name) {
        for (int weight : new int[] {1, 65_535, 1_000_000}) {
            List<TestCandidate> candidates = TestCandidate.of(weight);
            Picker picker = picker(name, candidates);
            for (int i = 0; i < 10; i++) {
                assertThat(picker.pick(Pickers.from("10.0.0." + i), Tried.NONE)).isSameAs(candidates.get(0));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("names")
    void worksWithTenThousandServers(String name) {
        int[] weights = new int[10_000];
        for (int i = 0; i < weights.length; i++) {
            weights[i] = 1 + i % 10;
        }
        List<TestCandidate> candidates = TestCandidate.of(weights);
        Picker picker = picker(name, candidates);
        for (int i = 0; i < 1000; i++) {
            assertThat(picker.pick(Pickers.from("client" + i), Tried.NONE)).isNotNull();
        }
    }

    @ParameterizedTest
    @MethodSource("names")
    void threadsMayPickWhileFiguresAndListsChange(String name) throws Exception {
        List<TestCandidate> candidates = TestCandidate.of(1, 200, 3, 4, 5, 6);
        Strategy strategy = Strategies.create(name, StrategyOptions.DEFAULT);
        AtomicReference<Picker> current = new AtomicReference<>(picker(strategy, candidates, null));
        ExecutorService threads = Executors.newFixedThreadPool(3);
        try {
            List<Future<Integer>> picks = new ArrayList<>();
            for (int t = 0; t < 3; t++) {
                int thread = t;
                picks.add(threads.submit(() -> {
                    int found = 0;
                    SplittableRandom random = new SplittableRandom(thread);
                    for (int i = 0; i < 30_000; i++) {
                        shake(candidates, random);
                        Tried tried = i % 3 == 0 ? Pickers.tried("b", "d") : Tried.NONE;
                        Candidate picked = current.get().pick(Pickers.from("c" + i), tried);
                        if (picked != null && !tried.contains(picked.id())) {
                            found++;
                        }
                    }
                    return found;
                }));
            }
            for (int i = 0; i < 30; i++) {
                List<TestCandidate> some = i % 2 == 0 ? candidates.subList(0, 5) : candidates;
                current.set(picker(strategy, some, current.get()));
            }
            for (Future<Integer> pick : picks) {
                assertThat(pick.get()).isEqualTo(30_000);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @ParameterizedTest
    @MethodSource("names")
    void aPickerOfAnotherStrategyIsNoPlaceToGoOnFrom(String name) {
        List<TestCandidate> candidates = TestCandidate.of(1, 2);
        Picker strange = (request, tried) -> null;
        Picker picker = picker(Strategies.create(name, StrategyOptions.DEFAULT), candidates, strange);
        assertThat(Arrays.asList("a", "b")).contains(Pickers.pick(picker).id());
    }

    private static void shake(List<TestCandidate> candidates, SplittableRandom random) {
        TestCandidate candidate = candidates.get(random.nextInt(candidates.size()));
        candidate.inFlight.set(random.nextInt(5));
        candidate.latencyNanos = random.nextInt(3) * 1e6;
        candidate.recentFailures.set(random.nextInt(20) == 0 ? random.nextInt(4) : 0);
    }
}
