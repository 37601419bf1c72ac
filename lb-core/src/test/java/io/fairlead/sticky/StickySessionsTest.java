package io.fairlead.sticky;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.Endpoint;
import io.fairlead.LoadBalancer;
import io.fairlead.LoadBalancerBuilder;
import io.fairlead.ManualScheduler;
import io.fairlead.Outcome;
import io.fairlead.Pick;
import io.fairlead.RequestFacts;
import io.fairlead.compose.WeightedLoadBalancer;
import io.fairlead.health.PassiveHealthCheck;
import io.fairlead.limit.Limits;
import io.fairlead.observe.EndpointSnapshot;
import io.fairlead.retry.Attempts;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class StickySessionsTest {
    private static final String SECRET = "a secret of many characters";

    private final ManualScheduler scheduler = new ManualScheduler();
    private final StickyCookie cookie =
            StickyCookie.builder().name("lb").secret(SECRET).build();

    private LoadBalancerBuilder service(String name, int servers) {
        LoadBalancerBuilder builder =
                LoadBalancer.builder(name).scheduler(scheduler).sticky(cookie);
        for (int i = 1; i <= servers; i++) {
            builder.endpoint("http://" + name + i + ":80");
        }
        return builder;
    }

    /** A browser: keeps what it is told to keep. */
    private static final class Client implements RequestFacts {
        final Map<String, String> cookies = new HashMap<>();
        /** Values of the same names that it has for other paths, and sends before the others. */
        final List<String> others = new ArrayList<>();

        @Override
        public String affinity(String name) {
            return affinity(name, 0);
        }

        @Override
        public String affinity(String name, int index) {
            if (index < others.size()) {
                return others.get(index);
            }
            return index == others.size() ? cookies.get(name) : null;
        }

        @Override
        public String method() {
            return "GET";
        }

        Pick pick(LoadBalancer balancer) {
            Pick pick = balancer.pick(this);
            take(pick);
            return pick;
        }

        void take(Pick pick) {
            for (String field : pick.setCookies()) {
                String pair = field.substring(0, field.indexOf(';'));
                cookies.put(pair.substring(0, pair.indexOf('=')), pair.substring(pair.indexOf('=') + 1));
            }
        }

        String serverOf(LoadBalancer balancer) {
            Pick pick = pick(balancer);
            pick.success();
            return pick.endpoint().host();
        }
    }

    @Test
    void aClientComesBackToItsServerAndOthersAreSpreadAsEver() {
        LoadBalancer orders = service("orders", 3).build();
        Set<String> servers = new HashSet<>();
        for (int i = 0; i < 9; i++) {
            Client client = new Client();
            String first = client.serverOf(orders);
            servers.add(first);
            for (int j = 0; j < 4; j++) {
                assertThat(client.serverOf(orders)).isEqualTo(first);
            }
        }
        assertThat(servers).hasSize(3);
        assertThat(orders.snapshot().endpoints())
                .extracting(EndpointSnapshot::picks)
                .containsExactly(15L, 15L, 15L);
    }

    @Test
    void theCookieIsSetOnceAndTheKeptPickCountsAsAnyOther() {
        LoadBalancer orders = service("orders", 2).build();
        Client client = new Client();
        Pick first = client.pick(orders);
        assertThat(first.setCookies()).hasSize(1);
        assertThat(first.isKept()).isFalse();

        Pick second = client.pick(orders);

        assertThat(second.setCookies()).isEmpty();
        assertThat(second.isKept()).isTrue();
        EndpointSnapshot server = orders.snapshot().endpoint(second.endpoint().id());
        assertThat(server.inFlight()).isEqualTo(2);
        assertThat(server.picks()).isEqualTo(2);
        first.success();
        second.failure(new ConnectException("refused"));
        server = orders.snapshot().endpoint(second.endpoint().id());
        assertThat(server.inFlight()).isZero();
        assertThat(server.failures()).isEqualTo(1);
    }

    @Test
    void theValueTellsNothingOfTheServer() {
        LoadBalancer orders = LoadBalancer.builder("orders")
                .endpoint("http://10.1.2.3:8080")
                .sticky(cookie)
                .scheduler(scheduler)
                .build();
        String field = orders.pick(RequestFacts.NONE).setCookies().get(0);

        assertThat(field).matches("lb=[A-Za-z0-9_-]{32}; Path=/");
        assertThat(field).doesNotContain("10.1").doesNotContain("8080").doesNotContain("orders");
    }

    @Test
    void allAttributesAreSetAsConfigured() {
        StickyCookie all = StickyCookie.builder()
                .name("s")
                .path("/shop")
                .domain("shop.example")
                .maxAge(Duration.ofHours(1))
                .httpOnly(true)
                .secure(true)
                .sameSite("Strict")
                .build();
        LoadBalancer orders = service("orders", 1).sticky(all).build();

        assertThat(orders.pick(RequestFacts.NONE).setCookies().get(0))
                .endsWith("; Path=/shop; Domain=shop.example; Max-Age=3600; HttpOnly; Secure; SameSite=Strict");
    }

    @Test
    void withoutANameEveryServiceHasACookieOfItsOwn() {
        StickyCookie plain = StickyCookie.builder().build();
        String a = service("a", 1)
                .sticky(plain)
                .build()
                .pick(RequestFacts.NONE)
                .setCookies()
                .get(0);
        String b = service("b", 1)
                .sticky(plain)
                .build()
                .pick(RequestFacts.NONE)
                .setCookies()
                .get(0);

        assertThat(a).matches("_lb_[0-9a-f]{8}=.*");
        assertThat(a.substring(0, a.indexOf('='))).isNotEqualTo(b.substring(0, b.indexOf('=')));
    }

    @Test
    void twoProxiesWithTheSameSecretUnderstandEachOtherAndOthersDoNot() {
        LoadBalancer one = service("orders", 5).build();
        LoadBalancer two = service("orders", 5).build();
        Client client = new Client();
        String server = client.serverOf(one);
        String value = client.cookies.get("lb");

        for (int i = 0; i < 5; i++) {
            assertThat(client.serverOf(two)).isEqualTo(server);
        }
        assertThat(client.cookies).containsEntry("lb", value);

        LoadBalancer stranger = service("orders", 5)
                .sticky(StickyCookie.builder().name("lb").build())
                .build();
        client.serverOf(stranger);
        assertThat(client.cookies.get("lb")).isNotEqualTo(value);
    }

    @Test
    void theSameServerHasAnotherValueInAnotherService() {
        Client client = new Client();
        LoadBalancer a = LoadBalancer.builder("a")
                .endpoint("http://x:80")
                .sticky(cookie)
                .scheduler(scheduler)
                .build();
        LoadBalancer b = LoadBalancer.builder("b")
                .endpoint("http://x:80")
                .sticky(cookie)
                .scheduler(scheduler)
                .build();
        client.pick(a).success();

        assertThat(b.pick(client).setCookies()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "x", "????????????????????????????????", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "orders1:80"})
    void whatIsNoValueOfOursIsBalancedAnewAndSetAnew(String value) {
        LoadBalancer orders = service("orders", 2).build();
        Client client = new Client();
        client.cookies.put("lb", value);

        Pick pick = client.pick(orders);

        assertThat(pick.isKept()).isFalse();
        assertThat(pick.setCookies()).hasSize(1);
        assertThat(client.pick(orders).isKept()).isTrue();
    }

    @Test
    void everyChangedCharacterMakesAValueAForgery() {
        LoadBalancer orders = service("orders", 1).build();
        Client client = new Client();
        client.pick(orders).success();
        String value = client.cookies.get("lb");
        for (int i = 0; i < value.length(); i++) {
            char other = value.charAt(i) == 'A' ? 'B' : 'A';
            client.cookies.put("lb", value.substring(0, i) + other + value.substring(i + 1));
            Pick pick = orders.pick(client);
            assertThat(pick.isKept()).as("character %d", i).isFalse();
            pick.success();
        }
    }

    @Test
    void aValueThatIsNotOursDoesNotHideTheOneThatIs() {
        LoadBalancer orders = service("orders", 3).build();
        Client client = new Client();
        String server = client.serverOf(orders);
        String removed = other(orders, server);
        client.others.add("of another application");
        client.others.add("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA");
        client.others.add(valueOf(orders, removed));
        orders.remove(removed + ":80");

        for (int i = 0; i < 4; i++) {
            Pick pick = orders.pick(client);
            assertThat(pick.endpoint().host()).isEqualTo(server);
            assertThat(pick.isKept()).isTrue();
            assertThat(pick.setCookies()).isEmpty();
            pick.success();
        }
    }

    @Test
    void ofTwoValuesTheFirstIsFollowedWhoseServerCanBeUsed() {
        LoadBalancer orders = service("orders", 3).build();
        Client client = new Client();
        String second = client.serverOf(orders);
        String first = other(orders, second);
        client.others.add(valueOf(orders, first));
        assertThat(orders.pick(client).endpoint().host()).isEqualTo(first);

        orders.fence(first + ":80");
        Pick pick = orders.pick(client);

        assertThat(pick.endpoint().host()).isEqualTo(second);
        assertThat(pick.isKept()).isTrue();
        // Lest it goes back when the first one can be used again.
        assertThat(pick.setCookies()).containsExactly("lb=" + client.cookies.get("lb") + "; Path=/");
    }

    @Test
    void aRetryGoesWhereTheNextValueMeans() {
        LoadBalancer orders = service("orders", 5).build();
        Client client = new Client();
        String second = client.serverOf(orders);
        String first = other(orders, second);
        client.others.add(valueOf(orders, first));
        Attempts attempts = Attempts.of(orders, client);
        assertThat(attempts.first().endpoint().host()).isEqualTo(first);

        Pick next = attempts.next(Outcome.connectFailed(new ConnectException("refused")), true);

        assertThat(next).isNotNull();
        assertThat(next.endpoint().host()).isEqualTo(second);
    }

    @Test
    void noMoreThanAFewValuesAreLookedAt() {
        LoadBalancer orders = service("orders", 2).build();
        Client client = new Client();
        client.serverOf(orders);
        for (int i = 0; i < 7; i++) {
            client.others.add("x");
        }
        assertThat(orders.pick(client).isKept()).isTrue();
        client.others.add("x");

        assertThat(orders.pick(client).isKept()).isFalse();
    }

    /** A server that is not this one. */
    private static String other(LoadBalancer balancer, String host) {
        return balancer.snapshot().endpoints().stream()
                .map(server -> server.id().replace(":80", ""))
                .filter(other -> !other.equals(host))
                .findFirst()
                .get();
    }

    /** What a client gets that is sent to this server. */
    private static String valueOf(LoadBalancer balancer, String host) {
        while (true) {
            Client client = new Client();
            if (client.serverOf(balancer).equals(host)) {
                return client.cookies.get("lb");
            }
        }
    }

    @Test
    void aFencedServerLosesItsClientsAndTheyGetANewCookie() {
        LoadBalancer orders = service("orders", 2).build();
        Client client = new Client();
        String first = client.serverOf(orders);
        orders.fence(first + ":80");

        String second = client.serverOf(orders);

        assertThat(second).isNotEqualTo(first);
        orders.unfence(first + ":80");
        assertThat(client.serverOf(orders)).isEqualTo(second);
        assertThat(client.serverOf(orders)).isEqualTo(second);
    }

    @Test
    void aServerThatHasLeftOrIsOfNoWeightLosesItsClients() {
        LoadBalancer orders = service("orders", 3).build();
        Client client = new Client();
        String first = client.serverOf(orders);
        orders.remove(first + ":80");
        String second = client.serverOf(orders);
        assertThat(second).isNotEqualTo(first);

        orders.add(Endpoint.of("http://" + second + ":80", 0));
        assertThat(client.serverOf(orders)).isNotEqualTo(first).isNotEqualTo(second);
    }

    @Test
    void aServerThatHasJoinedKeepsItsClientsToo() {
        LoadBalancer orders = service("orders", 1).build();
        new Client().serverOf(orders);
        orders.update(java.util.Arrays.asList(Endpoint.of("http://a:80"), Endpoint.of("http://b:80")));
        for (int i = 0; i < 2; i++) {
            Client client = new Client();
            String server = client.serverOf(orders);
            assertThat(client.serverOf(orders)).isEqualTo(server);
            assertThat(client.serverOf(orders)).isEqualTo(server);
        }
    }

    @Test
    void anEjectedServerLosesItsClients() {
        LoadBalancer orders = service("orders", 2)
                .passiveHealthCheck(
                        PassiveHealthCheck.builder().maxFailedAttempts(1).build())
                .build();
        Client client = new Client();
        String first = client.serverOf(orders);
        client.pick(orders).done(Outcome.status(503));

        assertThat(client.serverOf(orders)).isNotEqualTo(first);
    }

    @Test
    void aServerThatIsFullLosesTheClientThatComesMeanwhile() {
        LoadBalancer orders = service("orders", 2)
                .limits(Limits.NONE.withMaxInFlightPerServer(1))
                .build();
        Client client = new Client();
        Pick first = client.pick(orders);

        Pick second = client.pick(orders);

        assertThat(second.endpoint()).isNotEqualTo(first.endpoint());
        assertThat(second.setCookies()).hasSize(1);
        first.success();
        second.success();
        Pick third = client.pick(orders);
        assertThat(third.endpoint()).isEqualTo(second.endpoint());
        assertThat(third.isKept()).isTrue();
    }

    @Test
    void aBackupKeepsNobodyOnceAnotherCanBeUsed() {
        LoadBalancer orders = LoadBalancer.builder("orders")
                .endpoint("http://main:80")
                .endpoint(Endpoint.builder("http://backup:80").backup(true).build())
                .sticky(cookie)
                .scheduler(scheduler)
                .build();
        orders.fence("main:80");
        Client client = new Client();
        assertThat(client.serverOf(orders)).isEqualTo("backup");
        assertThat(client.pick(orders).isKept()).isTrue();
        orders.unfence("main:80");

        assertThat(client.serverOf(orders)).isEqualTo("main");
    }

    @Test
    void aRetryGoesElsewhereAndTheCookieIsSetAnew() {
        LoadBalancer orders = service("orders", 3).build();
        Client client = new Client();
        String first = client.serverOf(orders);
        Attempts attempts = Attempts.of(orders, client);
        Pick pick = attempts.first();
        assertThat(pick.endpoint().host()).isEqualTo(first);
        assertThat(pick.setCookies()).isEmpty();

        Pick next = attempts.next(Outcome.connectFailed(new ConnectException("refused")), true);

        assertThat(next).isNotNull();
        assertThat(next.endpoint().host()).isNotEqualTo(first);
        client.take(next);
        next.success();
        assertThat(client.serverOf(orders)).isEqualTo(next.endpoint().host());
    }

    @Test
    void aStaleConnectionIsNoReasonToLeaveTheServer() {
        LoadBalancer orders = service("orders", 3).build();
        Client client = new Client();
        String first = client.serverOf(orders);
        Attempts attempts = Attempts.of(orders, client);
        List<String> servers = new ArrayList<>();
        for (Pick pick = attempts.first(); pick != null && servers.size() < 8; ) {
            servers.add(pick.endpoint().host());
            pick = attempts.next(Outcome.stale(), true);
        }

        assertThat(servers.subList(0, 6)).containsOnly(first);
        assertThat(servers.get(6)).isNotEqualTo(first);
    }

    @Test
    void whoKeepsNoClientsOnServersIsBalancedAsEver() {
        // The interceptor and the agent: the request may have the cookie, and nobody asks for it.
        LoadBalancer orders = service("orders", 2).build();
        Set<String> servers = new HashSet<>();
        for (int i = 0; i < 4; i++) {
            servers.add(orders.pick(RequestFacts.NONE).endpoint().host());
        }
        assertThat(servers).hasSize(2);
    }

    @Test
    void aWeightedServiceKeepsAClientOnOneOfItsServices() {
        LoadBalancer a = service("a", 2).sticky(null).build();
        LoadBalancer b = service("b", 2).sticky(null).build();
        Map<LoadBalancer, Integer> parts = new LinkedHashMap<>();
        parts.put(a, 1);
        parts.put(b, 1);
        LoadBalancer canary = new WeightedLoadBalancer("canary", parts, cookie, StickyKey.random(), scheduler);
        Client client = new Client();
        Pick first = client.pick(canary);
        first.success();
        Set<String> servers = new HashSet<>();
        for (int i = 0; i < 6; i++) {
            Pick pick = client.pick(canary);
            pick.success();
            assertThat(pick.service()).isEqualTo(first.service());
            servers.add(pick.endpoint().host());
        }
        assertThat(servers).hasSize(2);

        LoadBalancer chosen = first.service().equals("a") ? a : b;
        chosen.snapshot().endpoints().forEach(server -> chosen.fence(server.id()));
        Pick moved = client.pick(canary);
        assertThat(moved.service()).isNotEqualTo(first.service());
        chosen.snapshot().endpoints().forEach(server -> chosen.unfence(server.id()));
        assertThat(client.pick(canary).service()).isEqualTo(moved.service());

        Client two = new Client();
        while (!two.pick(canary).service().equals(first.service())) {
            two.cookies.clear();
        }
        two.others.add(client.cookies.get("lb"));
        assertThat(two.pick(canary).service()).isEqualTo(moved.service());
        LoadBalancer gone = chosen == a ? b : a;
        gone.snapshot().endpoints().forEach(server -> gone.fence(server.id()));
        assertThat(two.pick(canary).isKept()).isTrue();
    }

    @Test
    void aWeightedServiceOfStickyServicesSetsBothCookies() {
        LoadBalancer a = service("a", 2)
                .sticky(StickyCookie.builder().name("inner").build())
                .build();
        Map<LoadBalancer, Integer> parts = new LinkedHashMap<>();
        parts.put(a, 1);
        LoadBalancer canary = new WeightedLoadBalancer("canary", parts, cookie, StickyKey.random(), scheduler);
        Client client = new Client();
        String server = client.serverOf(canary);

        assertThat(client.cookies).containsOnlyKeys("lb", "inner");
        for (int i = 0; i < 3; i++) {
            assertThat(client.serverOf(canary)).isEqualTo(server);
        }
        assertThat(client.pick(canary).setCookies()).isEmpty();
    }

    @Test
    void theSecretIsNotShown() {
        assertThat(cookie.toString()).doesNotContain(SECRET);
        assertThatThrownBy(() -> StickyCookie.builder().secret("short"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("short'");
    }
}
