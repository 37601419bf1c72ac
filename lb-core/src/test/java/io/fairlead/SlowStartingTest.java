package io.fairlead;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.fairlead.config.ConfigFile;
import io.fairlead.health.CircuitBreaker;
import io.fairlead.health.HealthCheck;
import io.fairlead.health.PassiveHealthCheck;
import io.fairlead.health.SlowStart;
import io.fairlead.strategy.Candidate;
import io.fairlead.strategy.Picker;
import io.fairlead.strategy.PickerContext;
import io.fairlead.strategy.Strategies;
import io.fairlead.strategy.Strategy;
import io.fairlead.strategy.StrategyOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers that warm up, with time that is moved by hand. */
final class SlowStartingTest {
    private static final SlowStart THIRTY_SECONDS = SlowStart.of(Duration.ofSeconds(30));

    private final ManualScheduler time = new ManualScheduler();
    private final Watched watched = new Watched();
    private LoadBalancer balancer;

    @AfterEach
    void close() {
        if (balancer != null) {
            balancer.close();
        }
        assertThat(time.waiting()).isZero();
    }

    @Test
    void serversOfTheFirstListHaveTheirFullWeight() {
        start(builder("wrr"));
        assertThat(weights()).containsExactly(1, 1, 1);
        assertThat(watched.last.weightScale()).isEqualTo(1);
        assertThat(time.waiting()).isZero();
    }

    @Test
    void theFirstServersOfAServiceThatBeganWithoutAnyHaveTheirFullWeight() {
        start(LoadBalancer.builder("orders").strategy(watched).slowStart(THIRTY_SECONDS));
        balancer.update(Arrays.asList(Endpoint.of("http://a"), Endpoint.of("http://b")));
        assertThat(weights()).containsExactly(1, 1);
        assertThat(time.waiting()).isZero();
    }

    @Test
    void aServerThatIsAddedClimbsInTwentyStepsToItsWeight() {
        start(builder("wrr"));
        balancer.add(Endpoint.of("http://d"));
        assertThat(weights()).containsExactly(100, 100, 100, 10);
        assertThat(watched.last.weightScale()).isEqualTo(100);
        time.advanceMillis(4_500);
        assertThat(weights()).containsExactly(100, 100, 100, 15);
        int before = watched.built;
        for (int step = 4; step < 20; step++) {
            time.advanceMillis(1_500);
            assertThat(weights()).containsExactly(100, 100, 100, 5 * step);
        }
        assertThat(watched.built - before).isEqualTo(16);
        assertThat(time.waiting()).as("one timer").isEqualTo(1);
        time.advanceMillis(1_500);
        assertThat(weights()).containsExactly(1, 1, 1, 1);
        assertThat(watched.last.weightScale()).isEqualTo(1);
        assertThat(watched.last.candidates())
                .isEqualTo(new ArrayList<>(roster().nodes.values()));
        assertThat(time.waiting()).isZero();
        int after = watched.built;
        time.advanceMillis(60_000);
        assertThat(watched.built).isEqualTo(after);
    }

    @Test
    void stepsAreATenthOfASecondApartAtLeast() {
        start(builder("wrr").slowStart(SlowStart.of(Duration.ofMillis(250))));
        int before = watched.built;
        balancer.add(Endpoint.of("http://d"));
        time.advanceMillis(99);
        assertThat(watched.built - before).isEqualTo(1);
        time.advanceMillis(1);
        assertThat(weights()).containsExactly(100, 100, 100, 40);
        time.advanceMillis(100);
        assertThat(weights()).containsExactly(100, 100, 100, 80);
        time.advanceMillis(100);
        assertThat(weights()).containsExactly(1, 1, 1, 1);
        assertThat(watched.built - before).isEqualTo(4);
    }

    @Test
    void serversThatCameAtDifferentTimesShareTheirSteps() {
        start(builder("wrr"));
        balancer.add(Endpoint.of("http://d"));
        time.advanceMillis(10_000);
        balancer.add(Endpoint.of("http://e"));
        assertThat(weights()).containsExactly(100, 100, 100, 33, 10);
        assertThat(time.waiting()).isEqualTo(1);
        int before = watched.built;
        time.advanceMillis(20_000);
        assertThat(weights()).containsExactly(100, 100, 100, 100, 67);
        assertThat(watched.built - before).isLessThanOrEqualTo(15);
        time.advanceMillis(10_000);
        assertThat(weights()).containsExactly(1, 1, 1, 1, 1);
        assertThat(watched.built - before).isLessThanOrEqualTo(24);
    }

    @Test
    void greatWeightsAreScaledNoMoreThanNeeded() {
        start(builder("wrr").endpoint("http://big", 50));
        balancer.add(Endpoint.of("http://e", 20));
        assertThat(weights()).containsExactly(100, 100, 100, 5000, 200);
        balancer.update(Arrays.asList(Endpoint.of("http://a", 400), Endpoint.of("http://f", 200)));
        assertThat(weights()).containsExactly(400, 20);
        assertThat(watched.last.weightScale()).isEqualTo(1);
    }

    @Test
    void aSumOfWeightsBeyondAllMeasureIsNotScaled() {
        start(builder("wrr").endpoint("http://big", 1_000_000));
        balancer.add(Endpoint.of("http://e", 1));
        assertThat(weights()).containsExactly(1, 1, 1, 1_000_000, 1);
    }

    @Test
    void theFormOfTheWayUpIsThatOfTheOptions() {
        start(builder("wrr").slowStart(THIRTY_SECONDS.withAggression(2).withMinWeightPercent(5)));
        balancer.add(Endpoint.of("http://d"));
        assertThat(weights()).endsWith(5);
        time.advanceMillis(7_500);
        assertThat(weights()).endsWith(50);
    }

    @Test
    void anEjectionThatEndsBeginsASlowStart() {
        start(builder("wrr")
                .passiveHealthCheck(
                        PassiveHealthCheck.builder().maxFailedAttempts(1).build()));
        pickOf("a:80").done(Outcome.status(503));
        assertThat(weights()).containsExactly(1, 1);
        time.advanceMillis(30_000);
        assertThat(weights()).containsExactly(10, 100, 100);
        time.advanceMillis(30_000);
        assertThat(weights()).containsExactly(1, 1, 1);
    }

    @Test
    void aCircuitThatClosesBeginsASlowStart() {
        start(builder("wrr")
                .circuitBreaker(CircuitBreaker.builder()
                        .minRequests(1)
                        .openDuration(Duration.ofSeconds(10))
                        .requiredSuccesses(1)
                        .build()));
        pickOf("a:80").done(Outcome.status(503));
        assertThat(weights()).containsExactly(1, 1);
        time.advanceMillis(10_000);
        assertThat(weights()).as("half-open: probes only").containsExactly(1, 1, 1);
        time.advanceMillis(5_000);
        probeOf("a:80").success();
        assertThat(weights()).containsExactly(10, 100, 100);
        time.advanceMillis(30_000);
        assertThat(weights()).containsExactly(1, 1, 1);
    }

    @Test
    void aCheckThatPassesAgainBeginsASlowStartAndTheFirstOneDoesNot() throws IOException {
        ServerSocket server = listen(0);
        int port = server.getLocalPort();
        try (ServerSocket other = listen(0)) {
            start(LoadBalancer.builder("orders")
                    .endpoint("http://127.0.0.1:" + port)
                    .endpoint("http://127.0.0.1:" + other.getLocalPort())
                    .strategy(watched)
                    .slowStart(THIRTY_SECONDS)
                    .healthCheck(HealthCheck.builder()
                            .interval(Duration.ofSeconds(1))
                            .fall(1)
                            .rise(1)
                            .initiallyUp(false)
                            .build()));
            assertThat(balancer.isUp()).isFalse();
            time.advanceMillis(2_000);
            assertThat(weights()).as("nobody knew them before").containsExactly(1, 1);
            server.close();
            time.advanceMillis(2_000);
            assertThat(weights()).containsExactly(1);
            server = listen(port);
            time.advanceMillis(2_000);
            assertThat(weights()).containsExactly(10, 100);
            assertThat(balancer.snapshot().endpoint("127.0.0.1:" + port).effectiveWeight())
                    .isEqualTo(0.1);
            time.advanceMillis(30_000);
            assertThat(weights()).containsExactly(1, 1);
            assertThat(balancer.snapshot().endpoint("127.0.0.1:" + port).effectiveWeight())
                    .isEqualTo(1);
        } finally {
            server.close();
        }
    }

    private static ServerSocket listen(int port) throws IOException {
        return new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
    }

    @Test
    void aFenceThatIsTakenAwayBeginsASlowStart() {
        start(builder("wrr"));
        balancer.fence("b:80");
        time.advanceMillis(1_000);
        balancer.unfence("b:80");
        assertThat(weights()).containsExactly(100, 10, 100);
    }

    @Test
    void anotherMachineUnderAKnownIdWarmsUp() {
        start(builder("wrr"));
        balancer.add(Endpoint.builder("http://elsewhere").id("c:80").build());
        assertThat(weights()).containsExactly(100, 100, 10);
    }

    @Test
    void aConnectionThatFailedIsNoReasonToWarmUp() {
        start(builder("wrr"));
        pickOf("a:80").done(Outcome.connectFailed(null));
        time.advanceMillis(1_000);
        assertThat(weights()).containsExactly(1, 1, 1);
        assertThat(time.waiting()).isZero();
    }

    @Test
    void withoutSlowStartNothingWarmsUp() {
        start(builder("wrr").slowStart(null));
        balancer.add(Endpoint.of("http://d"));
        assertThat(weights()).containsExactly(1, 1, 1, 1);
        assertThat(time.waiting()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"random", "priority", "jump", "direct-hash"})
    void strategiesThatDoNotShareByWeightHaveNoSteps(String name) {
        start(builder(name));
        balancer.add(Endpoint.of("http://d"));
        assertThat(weights()).containsExactly(1, 1, 1, 1);
        assertThat(time.waiting()).isZero();
    }

    @Test
    void flappingKeepsOneTimerWhoseStepsComeAllTheSame() {
        start(builder("wrr"));
        balancer.add(Endpoint.of("http://d"));
        int before = watched.built;
        int changes = 0;
        for (int i = 0; i < 300; i++) {
            time.advanceMillis(50);
            balancer.fence("a:80");
            balancer.unfence("a:80");
            changes += 2;
            assertThat(time.waiting()).isEqualTo(1);
        }
        // 15 s are 10 steps, however often a server came and went meanwhile.
        assertThat(watched.built - before).isBetween(changes, changes + 10);
        assertThat(weights()).containsExactly(10, 100, 100, 50);
        time.advanceMillis(1_500);
        assertThat(weights().get(3)).as("its step was not put off").isGreaterThan(50);
        balancer.fence("a:80");
        time.advanceMillis(15_000);
        assertThat(time.waiting()).isZero();
        for (int i = 0; i < 100; i++) {
            balancer.unfence("a:80");
            assertThat(time.waiting()).isEqualTo(1);
            balancer.fence("a:80");
            assertThat(time.waiting()).as("nothing warms up").isZero();
        }
    }

    @Test
    void aStrategyThatFailsOnceIsAskedAgainAtTheNextStep() {
        start(builder("wrr"));
        balancer.add(Endpoint.of("http://d"));
        watched.broken = true;
        time.advanceMillis(1_500);
        watched.broken = false;
        assertThat(weights()).endsWith(10);
        time.advanceMillis(28_500);
        assertThat(weights()).containsExactly(1, 1, 1, 1);
    }

    @Test
    void aServerThatLeavesEndsTheSteps() {
        start(builder("wrr"));
        balancer.add(Endpoint.of("http://d"));
        balancer.remove("d:80");
        assertThat(weights()).containsExactly(1, 1, 1);
        assertThat(time.waiting()).isZero();
    }

    @Test
    void aReloadKeepsTheAgeAndTakesOverAnotherWindow(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("lb.yaml");
        String list = "{url: \"http://a\"}, {url: \"http://b\"}";
        write(file, "slowStart: 30s, servers: [" + list + "]");
        try (LoadBalancers balancers = LoadBalancers.from(ConfigFile.read(file), time)) {
            write(file, "slowStart: 30s, servers: [" + list + ", {url: \"http://c\"}]");
            time.advanceMillis(2_000);
            LoadBalancer orders = balancers.get("orders");
            assertThat(factor(orders, 1)).isCloseTo(0.1, within(0.01));
            time.advanceMillis(15_000);
            write(file, "strategy: maglev, slowStart: 30s, servers: [" + list + ", {url: \"http://c\", weight: 2}]");
            time.advanceMillis(2_000);
            assertThat(orders.snapshot().strategy()).isEqualTo("maglev");
            assertThat(factor(orders, 2)).isCloseTo(17.0 / 30, within(0.07));
            write(file, "strategy: maglev, slowStart: 40s, servers: [" + list + ", {url: \"http://c\", weight: 2}]");
            time.advanceMillis(2_000);
            assertThat(factor(orders, 2)).isCloseTo(19.0 / 40, within(0.07));
            write(file, "strategy: maglev, servers: [" + list + ", {url: \"http://c\", weight: 2}]");
            time.advanceMillis(2_000);
            assertThat(factor(orders, 2)).isCloseTo(1, within(0.05));
        }
    }

    /** The part of its weight that c has beside two servers of weight 1, told from what it is picked for. */
    private static double factor(LoadBalancer orders, int weight) {
        int picks = 20_000;
        int found = 0;
        for (int i = 0; i < picks; i++) {
            found += id(orders, i).equals("c:80") ? 1 : 0;
        }
        return 2.0 * found / (picks - found) / weight;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"wrr", "round-robin", "weighted-random", "hrw", "weighted-direct-hash", "ring-hash", "maglev"})
    void underEachStrategyByWeightAServerThatWarmsUpGetsItsShare(String name) {
        start(plain(name));
        balancer.add(Endpoint.of("http://d"));
        for (int percent : new int[] {10, 50, 75}) {
            time.advanceMillis(percent == 10 ? 0 : percent == 50 ? 15_000 : 7_500);
            assertThat(share("d:80")).as("at %s %%", percent).isCloseTo(percent / (300.0 + percent), within(0.03));
        }
        time.advanceMillis(7_500);
        assertThat(share("d:80")).isCloseTo(0.25, within(0.03));
        assertThat(time.waiting()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"least-requests", "p2c", "leasttime", "peak-ewma"})
    void underEachStrategyByLoadAServerThatWarmsUpHasItsShareUnderWay(String name) {
        start(plain(name));
        balancer.add(Endpoint.of("http://d"));
        Deque<Pick> underWay = new ArrayDeque<>();
        for (int i = 0; i < 2000; i++) {
            Pick pick = balancer.pick(request(i));
            underWay.add(pick);
            if (underWay.size() > 310) {
                underWay.remove().success();
            }
        }
        int warming = balancer.snapshot().endpoint("d:80").inFlight();
        assertThat(warming).isBetween(5, 16);
        underWay.forEach(Pick::success);
    }

    @ParameterizedTest
    @ValueSource(strings = {"hrw", "jump", "direct-hash", "weighted-direct-hash", "ring-hash", "maglev"})
    void whenAllHaveWarmedUpATableIsAsIfNoneEverHad(String name) {
        start(plain(name));
        warmUpAFourthServerOfWeightThree();
        LoadBalancer fresh = plain(name).endpoint("http://d", 3).scheduler(time).build();
        for (int i = 0; i < 5_000; i++) {
            assertThat(id(balancer, i)).isEqualTo(id(fresh, i));
        }
        fresh.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"wrr", "round-robin"})
    void whenAllHaveWarmedUpASequenceIsAsIfNoneEverHad(String name) {
        start(plain(name));
        warmUpAFourthServerOfWeightThree();
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 120; i++) {
            ids.add(id(balancer, i));
        }
        for (int i = 30; i < 114; i++) {
            assertThat(ids.subList(i, i + 6)).containsExactlyInAnyOrder("a:80", "b:80", "c:80", "d:80", "d:80", "d:80");
        }
    }

    private void warmUpAFourthServerOfWeightThree() {
        balancer.add(Endpoint.of("http://d", 3));
        for (int i = 0; i < 20; i++) {
            for (int k = 0; k < 7; k++) {
                balancer.pick(request(k)).cancel();
            }
            time.advanceMillis(1_500);
        }
        assertThat(time.waiting()).isZero();
    }

    private LoadBalancerBuilder plain(String strategy) {
        SplittableRandom random = new SplittableRandom(3);
        return LoadBalancer.builder("orders")
                .endpoint("http://a")
                .endpoint("http://b")
                .endpoint("http://c")
                .slowStart(THIRTY_SECONDS)
                .strategy(strategy)
                .random(random::nextLong);
    }

    @Test
    void aChangeThatTheStrategyRefusesDoesNotStopThoseThatWarmUp() {
        LoadBalancerBuilder builder = builder("wrr");
        start(builder);
        balancer.add(Endpoint.of("http://d"));
        watched.broken = true;
        builder.slowStart(SlowStart.of(Duration.ofMinutes(5))).endpoint("http://e");
        assertThatThrownBy(() -> ((EndpointLoadBalancer) balancer).reconfigure(builder))
                .hasMessage("fragile");
        watched.broken = false;
        time.advanceMillis(30_000);
        assertThat(weights()).containsExactly(1, 1, 1, 1);
    }

    private LoadBalancerBuilder builder(String strategy) {
        watched.inner = Strategies.create(strategy, StrategyOptions.DEFAULT);
        return plain(strategy).strategy(watched);
    }

    private void start(LoadBalancerBuilder builder) {
        balancer = builder.scheduler(time).build();
    }

    private Roster roster() {
        return ((EndpointLoadBalancer) balancer).roster();
    }

    private List<Integer> weights() {
        List<Integer> weights = new ArrayList<>();
        for (Candidate candidate : watched.last.candidates()) {
            weights.add(candidate.weight());
        }
        return weights;
    }

    private Pick pickOf(String id) {
        return Requests.begin((EndpointLoadBalancer) balancer, roster().nodes.get(id), time.nanoTime());
    }

    /** The request by which a half-open circuit is probed. */
    private Pick probeOf(String id) {
        for (int i = 0; i < 100; i++) {
            Pick pick = balancer.pick(request(i));
            if (pick.endpoint().id().equals(id)) {
                return pick;
            }
            pick.cancel();
        }
        throw new AssertionError(id + " is not picked");
    }

    private double share(String id) {
        int picks = 31_000;
        int found = 0;
        for (int i = 0; i < picks; i++) {
            found += id(balancer, i).equals(id) ? 1 : 0;
        }
        return (double) found / picks;
    }

    private static String id(LoadBalancer of, int client) {
        Pick pick = of.pick(request(client));
        pick.cancel();
        return pick.endpoint().id();
    }

    private static RequestFacts request(int client) {
        return new RequestFacts() {
            @Override
            public String remoteAddress() {
                return "client-" + client;
            }
        };
    }

    private static void write(Path file, String loadBalancer) throws IOException {
        String yaml = "http: {services: {orders: {loadBalancer: {" + loadBalancer + "}}}}\n";
        Files.write(file, yaml.getBytes(StandardCharsets.UTF_8));
    }

    /** Shows what the strategy is given. */
    private static final class Watched implements Strategy {
        private Strategy inner = Strategies.create("wrr", StrategyOptions.DEFAULT);
        private PickerContext last;
        private int built;
        private boolean broken;

        @Override
        public String name() {
            return inner.name();
        }

        @Override
        public boolean sharesByWeight() {
            return inner.sharesByWeight();
        }

        @Override
        public Picker picker(PickerContext context) {
            if (broken) {
                throw new IllegalStateException("fragile");
            }
            last = context;
            built++;
            return inner.picker(context);
        }
    }
}
