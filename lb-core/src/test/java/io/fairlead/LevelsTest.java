package io.fairlead;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.health.CircuitBreaker;
import io.fairlead.health.HealthCheck;
import io.fairlead.health.PassiveHealthCheck;
import io.fairlead.strategy.Picker;
import io.fairlead.strategy.PickerContext;
import io.fairlead.strategy.RandomSource;
import io.fairlead.strategy.Strategies;
import io.fairlead.strategy.Strategy;
import io.fairlead.strategy.StrategyOptions;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Panic, priority levels with overflow, and zones. Servers are taken out by ejection, which needs no network. */
final class LevelsTest {
    private static final RandomSource NO_CHANCE = () -> {
        throw new AssertionError("no random number is needed here");
    };

    private final ManualScheduler time = new ManualScheduler();
    private LoadBalancer balancer;

    @AfterEach
    void close() {
        balancer.close();
        assertThat(time.waiting()).isZero();
    }

    // Panic.

    @Test
    void withoutAThresholdTheServersThatAreLeftCarryAll() {
        start(servers("a", 4, 0));
        eject("a1", "a2", "a3");
        assertThat(counts(8)).containsOnlyKeys("a4:80");
    }

    @Test
    void healthIsIgnoredBelowTheThreshold() {
        start(servers("a", 4, 0).panicThreshold(50));
        eject("a1", "a2");
        assertThat(counts(8)).as("a half is not fewer than 50 %").containsOnlyKeys("a3:80", "a4:80");
        eject("a3");
        assertThat(counts(8)).as("a quarter is").hasSize(4).containsValue(2);
        time.advanceMillis(30_000);
        assertThat(counts(8)).hasSize(4);
        assertThat(balancer.snapshot().endpoints()).allMatch(endpoint -> endpoint.up());
    }

    @Test
    void aThresholdOfAHundredPanicsAtTheFirstServerThatIsOut() {
        start(servers("a", 4, 0).panicThreshold(100));
        eject("a1");
        assertThat(counts(8)).hasSize(4);
    }

    @Test
    void serversOfNoWeightAndFencedOnesAreNotCountedAndStayOutInPanic() {
        start(servers("a", 2, 0)
                .endpoint(Endpoint.of("http://none", 0))
                .endpoint(Endpoint.builder("http://fenced").fenced(true).build())
                .panicThreshold(60));
        assertThat(counts(8)).containsOnlyKeys("a1:80", "a2:80");
        eject("a1");
        assertThat(counts(8)).containsOnlyKeys("a1:80", "a2:80");
        balancer.fence("a2:80");
        assertThat(counts(8)).containsOnlyKeys("a1:80");
    }

    @Test
    void inPanicAServerWhoseConnectionFailedIsPassedOverStill() {
        start(servers("a", 3, 0).panicThreshold(70));
        eject("a1");
        failToConnect("a2");
        assertThat(counts(6)).containsOnlyKeys("a1:80", "a3:80");
        time.advanceMillis(1_000);
        assertThat(counts(6)).hasSize(3);
    }

    @Test
    void inPanicACircuitThatIsOpenStaysSo() {
        start(servers("a", 3, 0)
                .panicThreshold(70)
                .circuitBreaker(CircuitBreaker.builder()
                        .minRequests(1)
                        .failurePercent(100)
                        .build()));
        pickOf("a1").done(Outcome.connectFailed(null));
        time.advanceMillis(1_000);
        assertThat(counts(6)).containsOnlyKeys("a2:80", "a3:80");
        assertThat(balancer.snapshot().endpoint("a1:80").ejected()).isFalse();
    }

    @Test
    void everyServerThatFailsItsCheckIsAnOutageUnlessThereIsAThreshold() {
        // Nothing listens on port 1 of the loopback address.
        HealthCheck check = HealthCheck.builder().fall(1).build();
        LoadBalancerBuilder builder = new LoadBalancerBuilder("orders")
                .strategy("round-robin")
                .healthCheck(check)
                .endpoint("http://127.0.0.1:1")
                .endpoint("http://localhost:1");
        start(builder);
        time.advanceMillis(10_000);
        assertThat(balancer.isUp()).isFalse();
        assertThat(balancer.tryPick(RequestFacts.NONE, Tried.NONE)).isNull();
        balancer.close();
        start(builder.panicThreshold(1));
        time.advanceMillis(10_000);
        assertThat(balancer.snapshot().endpoints()).noneMatch(endpoint -> endpoint.up());
        assertThat(balancer.isUp()).isTrue();
        assertThat(counts(4)).hasSize(2).containsValue(2);
    }

    @Test
    void backupsThatCanBeUsedAvertPanicWhenNothingElseCan() {
        start(servers("a", 2, 0)
                .endpoint(Endpoint.builder("http://spare").backup(true).build())
                .panicThreshold(60)
                .passiveHealthCheck(passive(100)));
        eject("a1");
        assertThat(counts(4)).as("backups carry nothing while a server can").containsOnlyKeys("a1:80", "a2:80");
        eject("a2");
        assertThat(counts(4)).containsOnlyKeys("spare:80");
    }

    // Priority levels.

    @Test
    void theFirstLevelCarriesAllUntilFewerThan72PercentAreHealthy() {
        start(servers("a", 10, 0).endpoints(endpoints("b", 10, 1)).random(NO_CHANCE));
        assertThat(counts(20))
                .hasSize(10)
                .allSatisfy((id, count) -> assertThat(id).startsWith("a"));
        eject("a1", "a2");
        assertThat(counts(16))
                .hasSize(8)
                .allSatisfy((id, count) -> assertThat(id).startsWith("a"));
    }

    /** Envoy's documentation, "Priority levels": with P0 50 % healthy it gets 70 %, with 25 % it gets 35 %. */
    @Test
    void whatALevelCannotCarryGoesToTheNext() {
        start(servers("a", 4, 0).endpoints(endpoints("b", 4, 1)));
        eject("a1", "a2");
        assertThat(share("a", 20_000)).isBetween(0.69, 0.71);
        eject("a3");
        assertThat(share("a", 20_000)).isBetween(0.34, 0.36);
    }

    @Test
    void theOverprovisioningFactorMovesTheOverflow() {
        start(servers("a", 4, 0).endpoints(endpoints("b", 4, 1)).overprovisioningFactor(100));
        eject("a1");
        assertThat(share("a", 20_000)).isBetween(0.74, 0.76);
    }

    @Test
    void levelsThatCannotCarryAllTogetherShareByTheirHealth() {
        start(servers("a", 4, 0).endpoints(endpoints("b", 2, 1)).passiveHealthCheck(passive(100)));
        eject("a1", "a2", "a3", "b1");
        // 35 and 70 of 105: the second gets the 65 that are left.
        assertThat(share("a", 20_000)).isBetween(0.34, 0.36);
        balancer.update(all(endpoints("a", 4, 0), endpoints("b", 5, 1)));
        eject("b2", "b3");
        // Two of five are usable there: 35 and 56 of 91.
        assertThat(share("a", 20_000)).isBetween(35.0 / 91 - 0.01, 35.0 / 91 + 0.01);
    }

    @Test
    void aLevelInBackoffOverflowsTooAndItsServersComeAfterAllOthers() {
        start(servers("a", 2, 0).endpoints(endpoints("b", 1, 1)).random(NO_CHANCE));
        failToConnect("a1");
        failToConnect("a2");
        assertThat(counts(4)).containsOnlyKeys("b1:80");
        balancer.fence("b1:80");
        assertThat(counts(4)).containsOnlyKeys("a1:80", "a2:80");
    }

    @Test
    void aRetryGoesToTheNextLevelWhenALevelHasBeenTried() {
        start(servers("a", 2, 0)
                .endpoints(endpoints("b", 1, 1))
                .endpoint(Endpoint.builder("http://spare").backup(true).build())
                .random(NO_CHANCE));
        Tried tried = Tried.create();
        List<String> way = new ArrayList<>();
        Node node = roster().pick(RequestFacts.NONE, tried);
        while (node != null) {
            way.add(node.id());
            tried.add(node.id());
            node = roster().pick(RequestFacts.NONE, tried);
        }
        assertThat(way).containsExactly("a1:80", "a2:80", "b1:80", "spare:80");
    }

    @Test
    void backupsComeAfterAllLevels() {
        start(servers("a", 2, 0)
                .endpoints(endpoints("b", 2, 9))
                .endpoint(Endpoint.builder("http://spare").backup(true).build())
                .passiveHealthCheck(passive(100)));
        eject("a1", "a2", "b1");
        assertThat(counts(4)).containsOnlyKeys("b2:80");
        eject("b2");
        assertThat(counts(4)).containsOnlyKeys("spare:80");
    }

    @Test
    void aLevelPanicsOnlyWhenTheOthersCannotCarryAll() {
        start(servers("a", 4, 0)
                .endpoints(endpoints("b", 4, 1))
                .panicThreshold(50)
                .passiveHealthCheck(passive(100)));
        eject("a1", "a2", "a3");
        assertThat(counts(1000).keySet()).doesNotContain("a1:80").contains("a4:80", "b1:80");
        eject("b1", "b2", "b3");
        assertThat(counts(1000).keySet()).as("both").hasSize(8);
    }

    @Test
    void aKeyStaysAtItsLevel() {
        start(servers("a", 4, 0).endpoints(endpoints("b", 4, 1)).strategy("hrw").hashBy("$arg_k"));
        eject("a1", "a2");
        Map<String, String> homes = new TreeMap<>();
        int atFirst = 0;
        for (int i = 0; i < 2000; i++) {
            String home = pickFor("k=" + i);
            homes.put("k=" + i, home);
            atFirst += home.startsWith("a") ? 1 : 0;
        }
        assertThat(atFirst / 2000.0).isBetween(0.67, 0.73);
        homes.forEach((key, home) -> assertThat(pickFor(key)).isEqualTo(home));
    }

    @Test
    void aChangeOfOneLevelLeavesThePickersOfTheOthersAlone() {
        List<String> built = new ArrayList<>();
        Strategy inner = Strategies.create("wrr", StrategyOptions.DEFAULT);
        start(servers("a", 2, 0).endpoints(endpoints("b", 2, 1)).strategy(new Strategy() {
            @Override
            public String name() {
                return "told";
            }

            @Override
            public Picker picker(PickerContext context) {
                built.add(context.candidates().get(0).id());
                return inner.picker(context);
            }
        }));
        assertThat(built).containsExactly("a1:80", "b1:80");
        built.clear();
        failToConnect("b1");
        assertThat(built).containsExactly("b2:80", "b1:80");
        built.clear();
        balancer.update(all(endpoints("a", 2, 0), endpoints("b", 3, 1)));
        assertThat(built).containsExactly("b2:80");
        balancer.add(Endpoint.builder("http://a1").weight(2).build());
        assertThat(built).containsExactly("b2:80", "a1:80");
    }

    // Zones.

    @Test
    void theOwnZoneGetsAllWhileEnoughOfItIsHealthy() {
        start(zoned("near", 10, "eu-1", builder())
                .endpoints(zone("far", 10, "eu-2"))
                .zones(ZonePreference.of("eu-1"))
                .random(NO_CHANCE));
        eject("near1", "near2", "near3");
        assertThat(counts(14))
                .hasSize(7)
                .allSatisfy((id, count) -> assertThat(id).startsWith("near"));
    }

    @Test
    void whatIsMissingInTheOwnZoneSpillsInProportion() {
        start(zoned("near", 10, "eu-1", builder())
                .endpoints(zone("far", 10, "eu-2"))
                .zones(ZonePreference.of("eu-1")));
        eject("near1", "near2", "near3", "near4", "near5", "near6");
        assertThat(share("near", 20_000)).isBetween(4 / 7.0 - 0.01, 4 / 7.0 + 0.01);
        eject("near7", "near8", "near9");
        assertThat(share("near", 20_000)).isBetween(1 / 7.0 - 0.01, 1 / 7.0 + 0.01);
        eject("near10");
        assertThat(share("near", 1000)).isZero();
    }

    @Test
    void aListWithoutTheOwnZoneKnowsNoZones() {
        start(zoned("x", 2, "eu-1", builder())
                .endpoints(zone("y", 2, "eu-2"))
                .zones(ZonePreference.of("eu-3"))
                .random(NO_CHANCE));
        assertThat(counts(8)).hasSize(4).containsValue(2);
    }

    @Test
    void withoutAPreferenceZonesAreIgnored() {
        start(zoned("x", 2, "eu-1", builder()).endpoints(zone("y", 2, "eu-2")).random(NO_CHANCE));
        assertThat(counts(8)).hasSize(4).containsValue(2);
    }

    @Test
    void theOwnZoneKeepsAllWhenTheOthersHaveNothingHealthy() {
        start(zoned("near", 4, "eu-1", builder())
                .endpoints(zone("far", 1, "eu-2"))
                .zones(ZonePreference.of("eu-1"))
                .random(NO_CHANCE));
        balancer.fence("far1:80");
        balancer.add(Endpoint.builder("http://far2").zone("eu-2").build());
        eject("near1", "near2");
        failToConnect("far2");
        assertThat(counts(4)).containsOnlyKeys("near3:80", "near4:80");
    }

    @Test
    void aRequestThatHasBeenToTheOwnZoneGoesToTheOthers() {
        start(zoned("near", 1, "eu-1", builder())
                .endpoints(zone("far", 1, "eu-2"))
                .zones(ZonePreference.of("eu-1"))
                .random(NO_CHANCE));
        Tried tried = Tried.create();
        tried.add("near1:80");
        Pick pick = balancer.tryPick(RequestFacts.NONE, tried);
        assertThat(pick).isNotNull();
        assertThat(pick.endpoint().id()).isEqualTo("far1:80");
        pick.cancel();
    }

    @Test
    void inPanicZonesAreIgnoredSinceTheyAreToldByHealth() {
        start(zoned("near", 4, "eu-1", builder())
                .endpoints(zone("far", 4, "eu-2"))
                .zones(ZonePreference.of("eu-1"))
                .panicThreshold(50)
                .passiveHealthCheck(passive(100)));
        eject("near1", "near2", "near3", "near4");
        assertThat(share("near", 1000)).isZero();
        eject("far1");
        assertThat(counts(16)).hasSize(8).containsValue(2);
    }

    @Test
    void backupsHaveTheirZonesToo() {
        start(builder()
                .endpoint(
                        Endpoint.builder("http://b1").zone("eu-1").backup(true).build())
                .endpoint(
                        Endpoint.builder("http://b2").zone("eu-2").backup(true).build())
                .zones(ZonePreference.of("eu-2"))
                .random(NO_CHANCE));
        assertThat(counts(4)).containsOnlyKeys("b2:80");
    }

    // Helpers.

    private static LoadBalancerBuilder builder() {
        SplittableRandom random = new SplittableRandom(5);
        return new LoadBalancerBuilder("orders")
                .strategy("round-robin")
                .random(random::nextLong)
                .passiveHealthCheck(passive(90));
    }

    private static PassiveHealthCheck passive(int maxEjectedPercent) {
        return PassiveHealthCheck.builder()
                .maxFailedAttempts(2)
                .maxEjectedPercent(maxEjectedPercent)
                .build();
    }

    private static LoadBalancerBuilder servers(String name, int count, int priority) {
        return builder().endpoints(endpoints(name, count, priority));
    }

    private static List<Endpoint> endpoints(String name, int count, int priority) {
        List<Endpoint> endpoints = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            endpoints.add(
                    Endpoint.builder("http://" + name + i).priority(priority).build());
        }
        return endpoints;
    }

    private static LoadBalancerBuilder zoned(String name, int count, String zone, LoadBalancerBuilder builder) {
        return builder.endpoints(zone(name, count, zone));
    }

    private static List<Endpoint> zone(String name, int count, String zone) {
        List<Endpoint> endpoints = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            endpoints.add(Endpoint.builder("http://" + name + i).zone(zone).build());
        }
        return endpoints;
    }

    private static List<Endpoint> all(List<Endpoint> some, List<Endpoint> others) {
        List<Endpoint> all = new ArrayList<>(some);
        all.addAll(others);
        return all;
    }

    private void start(LoadBalancerBuilder builder) {
        balancer = builder.scheduler(time).build();
    }

    /** Ejects these, whichever level they are on: a request that was under way before fails. */
    private void eject(String... names) {
        for (String name : names) {
            pickOf(name).done(Outcome.status(503));
            pickOf(name).done(Outcome.status(503));
            assertThat(balancer.snapshot().endpoint(name + ":80").ejected())
                    .as(name)
                    .isTrue();
        }
    }

    private void failToConnect(String name) {
        pickOf(name).failure(new ConnectException("refused"));
    }

    /** A request to this server, had as if all others had been tried. */
    private Pick pickOf(String name) {
        Node node = roster().nodes.get(name + ":80");
        assertThat(node).as(name).isNotNull();
        return Requests.begin((EndpointLoadBalancer) balancer, node, time.nanoTime());
    }

    private Roster roster() {
        return ((EndpointLoadBalancer) balancer).roster();
    }

    private Map<String, Integer> counts(int picks) {
        Map<String, Integer> counts = new TreeMap<>();
        for (int i = 0; i < picks; i++) {
            Pick pick = balancer.pick(RequestFacts.NONE);
            counts.merge(pick.endpoint().id(), 1, Integer::sum);
            pick.cancel();
        }
        return counts;
    }

    private double share(String name, int picks) {
        int found = 0;
        for (Map.Entry<String, Integer> count : counts(picks).entrySet()) {
            found += count.getKey().startsWith(name) ? count.getValue() : 0;
        }
        return (double) found / picks;
    }

    private String pickFor(String query) {
        Pick pick = balancer.pick(new RequestFacts() {
            @Override
            public String query() {
                return query;
            }
        });
        pick.cancel();
        return pick.endpoint().id();
    }
}
