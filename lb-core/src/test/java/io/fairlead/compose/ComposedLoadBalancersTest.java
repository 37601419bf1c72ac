package io.fairlead.compose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.Endpoint;
import io.fairlead.LoadBalancer;
import io.fairlead.LoadBalancerBuilder;
import io.fairlead.ManualScheduler;
import io.fairlead.NoEndpointException;
import io.fairlead.Outcome;
import io.fairlead.Pick;
import io.fairlead.RequestFacts;
import io.fairlead.Tried;
import io.fairlead.health.HealthCheck;
import io.fairlead.observe.EndpointSnapshot;
import io.fairlead.retry.Attempts;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

final class ComposedLoadBalancersTest {
    private final ManualScheduler scheduler = new ManualScheduler();

    private LoadBalancer service(String name, int servers) {
        LoadBalancerBuilder builder = LoadBalancer.builder(name).scheduler(scheduler);
        for (int i = 1; i <= servers; i++) {
            builder.endpoint("http://" + name + i + ":80");
        }
        return builder.build();
    }

    private FailoverLoadBalancer failover(String name, LoadBalancer main, LoadBalancer fallback) {
        return new FailoverLoadBalancer(name, main, fallback, scheduler);
    }

    private WeightedLoadBalancer weighted(Object... servicesAndWeights) {
        Map<LoadBalancer, Integer> services = new LinkedHashMap<>();
        for (int i = 0; i < servicesAndWeights.length; i += 2) {
            services.put((LoadBalancer) servicesAndWeights[i], (Integer) servicesAndWeights[i + 1]);
        }
        return new WeightedLoadBalancer("weighted", services, scheduler);
    }

    private static void fenceAll(LoadBalancer service) {
        for (EndpointSnapshot endpoint : service.snapshot().endpoints()) {
            service.fence(endpoint.id());
        }
    }

    private static void unfenceAll(LoadBalancer service) {
        for (EndpointSnapshot endpoint : service.snapshot().endpoints()) {
            service.unfence(endpoint.id());
        }
    }

    private static String serviceOfNext(LoadBalancer balancer) {
        Pick pick = balancer.pick(RequestFacts.NONE);
        pick.success();
        return pick.service();
    }

    private static Map<String, Integer> shares(LoadBalancer balancer, int picks) {
        Map<String, Integer> shares = new LinkedHashMap<>();
        for (int i = 0; i < picks; i++) {
            shares.merge(serviceOfNext(balancer), 1, Integer::sum);
        }
        return shares;
    }

    /** The servers that one request is sent to while every one of them refuses it. */
    private static List<String> allRefused(LoadBalancer balancer) {
        List<String> hosts = new ArrayList<>();
        Attempts attempts = Attempts.of(balancer, RequestFacts.NONE);
        for (Pick pick = attempts.first(); pick != null; ) {
            hosts.add(pick.endpoint().host());
            pick = attempts.next(Outcome.connectFailed(new ConnectException("refused")), true);
        }
        return hosts;
    }

    @Test
    void failoverStaysWithTheMainServiceWhileItIsUp() {
        LoadBalancer main = service("main", 2);
        LoadBalancer failover = failover("both", main, service("spare", 1));

        assertThat(shares(failover, 10)).containsOnlyKeys("main");
        fenceAll(main);
        assertThat(shares(failover, 10)).containsOnlyKeys("spare");
        assertThat(failover.isUp()).isTrue();
        unfenceAll(main);
        assertThat(shares(failover, 10)).containsOnlyKeys("main");
    }

    @Test
    void failoverIsDownWhenBothAre() {
        LoadBalancer main = service("main", 1);
        LoadBalancer spare = service("spare", 1);
        LoadBalancer failover = failover("both", main, spare);
        fenceAll(main);
        fenceAll(spare);

        assertThat(failover.isUp()).isFalse();
        assertThat(failover.snapshot().up()).isFalse();
        assertThatThrownBy(() -> failover.pick(RequestFacts.NONE))
                .isInstanceOf(NoEndpointException.class)
                .hasMessageContaining("both");
    }

    @Test
    void oneCallGoesToTheFallbackWhenTheMainServiceHasRefused() {
        assertThat(allRefused(failover("both", service("main", 2), service("spare", 1))))
                .hasSize(3)
                .startsWith("main1", "main2")
                .endsWith("spare1");
    }

    @Test
    void theMainServiceIsTriedNoMoreOftenThanAloneAndTheFallbackAfterIt() {
        List<String> hosts = allRefused(failover("both", service("main", 10), service("spare", 10)));

        assertThat(hosts).hasSize(6).doesNotHaveDuplicates();
        assertThat(hosts.subList(0, 3)).allMatch(host -> host.startsWith("main"));
        assertThat(hosts.subList(3, 6)).allMatch(host -> host.startsWith("spare"));
    }

    @Test
    void aFallbackThatFailsOverItselfHasItsOwnShareOfTries() {
        LoadBalancer inner = failover("inner", service("b", 10), service("c", 10));
        List<String> hosts = allRefused(failover("outer", service("a", 10), inner));

        assertThat(hosts).hasSize(9).doesNotHaveDuplicates();
        assertThat(hosts)
                .extracting(host -> host.charAt(0))
                .containsExactly('a', 'a', 'a', 'b', 'b', 'b', 'c', 'c', 'c');
    }

    @Test
    void aMainServiceOfOneServerStillLeavesTheFallbacksFallback() {
        LoadBalancer inner = failover("inner", service("b", 1), service("c", 1));

        assertThat(allRefused(failover("outer", service("a", 1), inner))).containsExactly("a1", "b1", "c1");
    }

    @Test
    void weightedSharesRequestsOutExactly() {
        LoadBalancer weighted = weighted(service("a", 1), 9, service("b", 1), 1);

        assertThat(shares(weighted, 100)).containsEntry("a", 90).containsEntry("b", 10);
    }

    @Test
    void weightedLeavesOutWhatIsDownAndKeepsTheOthersInProportion() {
        LoadBalancer b = service("b", 2);
        LoadBalancer weighted = weighted(service("a", 1), 1, b, 5, service("c", 1), 3);
        fenceAll(b);

        assertThat(shares(weighted, 40)).hasSize(2).containsEntry("a", 10).containsEntry("c", 30);
        unfenceAll(b);
        assertThat(shares(weighted, 90))
                .containsEntry("a", 10)
                .containsEntry("b", 50)
                .containsEntry("c", 30);
    }

    @Test
    void weightedGivesNothingToAWeightOfZero() {
        LoadBalancer a = service("a", 1);
        LoadBalancer weighted = weighted(a, 1, service("none", 1), 0);

        assertThat(shares(weighted, 10)).containsOnlyKeys("a");
        fenceAll(a);
        assertThat(weighted.isUp()).isFalse();
        assertThat(weighted.tryPick(RequestFacts.NONE, Tried.NONE)).isNull();
    }

    @Test
    void weightedPassesOverAServiceThatHasNoServerLeftForTheRequest() {
        LoadBalancer weighted = weighted(service("a", 1), 1000, service("b", 1), 1);
        Tried tried = Tried.create();
        tried.add("a1:80");

        for (int i = 0; i < 20; i++) {
            Pick pick = weighted.tryPick(RequestFacts.NONE, tried);
            assertThat(pick).isNotNull();
            assertThat(pick.service()).isEqualTo("b");
            pick.success();
        }
        tried.add("b1:80");
        assertThat(weighted.tryPick(RequestFacts.NONE, tried)).isNull();
    }

    @Test
    void weightedTriesNoMoreServersThanOneOfItsServicesWould() {
        LoadBalancer weighted = weighted(service("a", 10), 1, service("b", 10), 1);

        assertThat(allRefused(weighted)).hasSize(3).doesNotHaveDuplicates();
    }

    @Test
    void weightedAlwaysFindsAServiceThatStaysUpWhileAnotherComesAndGoes() throws Exception {
        LoadBalancer a = service("a", 1);
        LoadBalancer weighted = weighted(a, 3, service("b", 1), 1);
        ExecutorService threads = Executors.newFixedThreadPool(2);
        Callable<Map<String, Integer>> picks = () -> shares(weighted, 20_000);
        Future<Map<String, Integer>> one = threads.submit(picks);
        Future<Map<String, Integer>> two = threads.submit(picks);
        while (!one.isDone() || !two.isDone()) {
            a.fence("a1:80");
            a.unfence("a1:80");
        }
        threads.shutdown();

        assertThat(one.get().get("b")).isPositive();
        assertThat(two.get().get("b")).isPositive();
    }

    @Test
    void mirroringPicksOfItsMainService() {
        LoadBalancer main = service("main", 2);
        LoadBalancer mirroring = new MirroringLoadBalancer("shadow", main, Collections.emptyList(), scheduler);

        assertThat(shares(mirroring, 10)).containsOnlyKeys("main");
        assertThat(mirroring.maxTries()).isEqualTo(main.maxTries());
        fenceAll(main);
        assertThat(mirroring.isUp()).isFalse();
    }

    @Test
    void serversAreFencedInThePartsThatHaveThem() {
        LoadBalancer a = service("a", 2);
        LoadBalancer b = service("b", 1);
        LoadBalancer composed = failover(
                "outer", weighted(a, 1, b, 1), new MirroringLoadBalancer("m", b, Collections.emptyList(), scheduler));

        assertThat(composed.fence("a1:80")).isTrue();
        assertThat(composed.fence("b1:80")).isTrue();
        assertThat(composed.fence("c1:80")).isFalse();
        assertThat(a.snapshot().endpoint("a1:80").fenced()).isTrue();
        assertThat(b.isUp()).isFalse();
        assertThat(composed.unfence("b1:80")).isTrue();
        assertThat(composed.unfence("c1:80")).isFalse();
        assertThat(b.isUp()).isTrue();
    }

    @Test
    void aSnapshotShowsEveryServerOfThePartsOnce() {
        LoadBalancer a = service("a", 2);
        LoadBalancer b = service("b", 1);
        LoadBalancer composed = failover(
                "outer", weighted(a, 1, b, 1), new MirroringLoadBalancer("m", b, Collections.emptyList(), scheduler));

        assertThat(composed.snapshot().name()).isEqualTo("outer");
        assertThat(composed.snapshot().strategy()).isEqualTo("failover");
        assertThat(composed.snapshot().endpoints())
                .extracting(EndpointSnapshot::id)
                .containsExactly("a1:80", "a2:80", "b1:80");
    }

    @Test
    void aServiceMadeOfServicesHasNoServersToChange() {
        LoadBalancer composed = failover("both", service("main", 1), service("spare", 1));
        Endpoint endpoint = Endpoint.of("http://x:80");

        assertThatThrownBy(() -> composed.add(endpoint))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("'both'");
        assertThatThrownBy(() -> composed.remove("main1:80")).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> composed.update(Collections.singleton(endpoint)))
                .isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void closingIsLeftToWhoeverMadeTheParts() {
        LoadBalancer main = LoadBalancer.builder("main")
                .endpoint("http://main1:80")
                .healthCheck(HealthCheck.builder().build())
                .scheduler(scheduler)
                .build();
        int checks = scheduler.waiting();
        failover("both", main, service("spare", 1)).close();

        assertThat(checks).isPositive();
        assertThat(scheduler.waiting()).isEqualTo(checks);
    }
}
