package io.fairlead;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.limit.Admission;
import io.fairlead.limit.Entrant;
import io.fairlead.limit.Limits;
import io.fairlead.sticky.Affinity;
import io.fairlead.sticky.StickyCookie;
import io.fairlead.sticky.StickyKey;
import io.fairlead.strategy.Picker;
import io.fairlead.strategy.PickerContext;
import io.fairlead.strategy.Strategy;
import java.lang.ref.WeakReference;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** What happens where two parts of the core meet at the same moment. */
final class SeamsTest {
    private final ManualScheduler time = new ManualScheduler();
    private final List<String> told = new ArrayList<>();
    private final Entrant entrant = new Entrant() {
        @Override
        public void admitted(Pick pick) {
            told.add("admitted");
        }

        @Override
        public void refused(NoEndpointException why) {
            told.add("refused");
        }
    };

    @Test
    void aPlaceThatBecomesFreeBetweenRefusalAndQuestionIsTaken() {
        try (LoadBalancer real = LoadBalancer.builder("orders")
                .endpoint("http://a")
                .limits(Limits.NONE.withMaxInFlight(1))
                .scheduler(time)
                .build()) {
            Pick last = real.pick(RequestFacts.NONE);
            LoadBalancer seen = (LoadBalancer) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {LoadBalancer.class}, (proxy, method, arguments) -> {
                        Object answer = method.invoke(real, arguments);
                        if (method.getName().equals("tryPick")) {
                            // The request before ends as soon as this one has been refused.
                            last.success();
                        }
                        return answer;
                    });
            Admission.enter(seen, RequestFacts.NONE, entrant);
            assertThat(told).containsExactly("admitted");
        }
    }

    @Test
    void whoTakesAPlaceInPassingDoesNotLeaveTheLineStanding() {
        AtomicReference<LoadBalancer> service = new AtomicReference<>();
        Strategy own = new Strategy() {
            @Override
            public String name() {
                return "own";
            }

            @Override
            public Picker picker(PickerContext context) {
                return (request, tried) -> {
                    if (tried.isEmpty()) {
                        return context.candidates().get(0);
                    }
                    // Another comes while this one, which will find no server, holds the only place.
                    Admission.enter(service.get(), RequestFacts.NONE, entrant);
                    assertThat(told).isEmpty();
                    return null;
                };
            }
        };
        try (LoadBalancer balancer = LoadBalancer.builder("orders")
                .endpoint("http://a")
                .strategy(own)
                .limits(Limits.NONE.withMaxInFlight(1).withQueue(5))
                .scheduler(time)
                .build()) {
            service.set(balancer);
            Tried all = Tried.create();
            all.add("a:80");
            assertThat(balancer.tryPick(RequestFacts.NONE, all)).isNull();
            time.advanceMillis(1);
            assertThat(told).containsExactly("admitted");
        }
    }

    @Test
    void anUpdateThatIsRefusedLiftsNoFence() {
        try (LoadBalancer balancer = LoadBalancer.builder("orders")
                .endpoint("http://a")
                .endpoint("http://b")
                .scheduler(time)
                .build()) {
            balancer.fence("a:80");
            Endpoint fenced = Endpoint.builder("http://a").fenced(true).build();
            Endpoint twice = Endpoint.of("http://b");
            assertThatThrownBy(() -> balancer.update(Arrays.asList(fenced, twice, twice)))
                    .hasMessageContaining("two servers");
            assertThat(balancer.snapshot().endpoint("a:80").fenced()).isTrue();
            for (int i = 0; i < 4; i++) {
                assertThat(balancer.pick(RequestFacts.NONE).endpoint().id()).isEqualTo("b:80");
            }
        }
    }

    @Test
    void theTableOfCookiesDoesNotHoldThoseBefore() {
        Affinity first = Affinity.of(StickyCookie.builder().build(), StickyKey.random(), "orders")
                .with(Collections.singletonList("a:80"));
        first.idIn(new RequestFacts() {
            @Override
            public String affinity(String cookie) {
                return "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
            }
        });
        Affinity second = first.with(Arrays.asList("a:80", "b:80"));
        WeakReference<Affinity> gone = new WeakReference<>(first);
        first = null;
        Awaitility.await().until(() -> {
            System.gc();
            return gone.get() == null;
        });
        assertThat(second.cookieName()).isNotEmpty();
    }
}
