package io.fairlead;

import io.fairlead.health.CircuitBreaker;
import io.fairlead.limit.AdaptiveLimit;
import io.fairlead.limit.Limits;
import io.fairlead.limit.ServiceLimit;
import org.jspecify.annotations.Nullable;

/**
 * What may stand against a pick although its server can be used: the limits of a service and of each of its servers, and
 * circuit breakers, which admit probes only. Immutable but for the service's count.
 */
final class Guards {
    private final Limits limits;
    private final @Nullable AdaptiveLimit adaptive;
    private final @Nullable CircuitBreaker breaker;
    private final @Nullable ServiceLimit service;

    /**
     * These guards.
     *
     * @param before the guards until now, whose count of the service's requests goes on; null: none
     */
    Guards(Limits limits, @Nullable AdaptiveLimit adaptive, @Nullable CircuitBreaker breaker, @Nullable Guards before) {
        this.limits = limits;
        this.adaptive = adaptive;
        this.breaker = breaker;
        int most = limits.maxInFlight() == 0 ? Integer.MAX_VALUE : limits.maxInFlight();
        ServiceLimit counting = before == null ? null : before.service;
        if (counting != null) {
            // Goes on counting without a limit too: there may be one again while these requests are under way.
            counting.limitTo(most);
        } else if (limits.maxInFlight() > 0) {
            counting = new ServiceLimit(most);
        }
        service = counting;
    }

    /** Whether nothing at all is guarded. */
    boolean isNone() {
        return service == null && limits.maxInFlightPerServer() == 0 && adaptive == null && breaker == null;
    }

    /** The count of the service's requests; null: not counted. */
    @Nullable
    ServiceLimit service() {
        return service;
    }

    /** Requests in flight at one server at most, as configured. */
    int perServer() {
        return limits.maxInFlightPerServer() == 0 ? Integer.MAX_VALUE : limits.maxInFlightPerServer();
    }

    /** Gives a server its breaker and its learnt limit, or takes them from it. */
    void equip(EndpointState state, long now) {
        state.limitBy(adaptive, now);
        state.health.breakBy(breaker, now);
    }
}
