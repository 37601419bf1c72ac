package io.fairlead;

import io.fairlead.health.CircuitBreaker;
import io.fairlead.health.HealthCheck;
import io.fairlead.health.PassiveHealthCheck;
import io.fairlead.health.SlowStart;
import io.fairlead.limit.AdaptiveLimit;
import io.fairlead.limit.Limits;
import io.fairlead.retry.HedgePolicy;
import io.fairlead.retry.RetryPolicy;
import io.fairlead.sticky.Affinity;
import io.fairlead.sticky.StickyCookie;
import io.fairlead.sticky.StickyKey;
import io.fairlead.strategy.RandomSource;
import io.fairlead.strategy.Strategies;
import io.fairlead.strategy.Strategy;
import io.fairlead.strategy.StrategyOptions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link LoadBalancer} by hand; {@link LoadBalancer#builder} begins one. Not safe for use from several threads.
 */
public final class LoadBalancerBuilder {
    final String name;
    final List<Endpoint> endpoints = new ArrayList<>();
    String strategyName = "wrr";
    StrategyOptions options = StrategyOptions.DEFAULT;

    @Nullable
    Strategy strategy;

    @Nullable
    HealthCheck healthCheck;

    @Nullable
    PassiveHealthCheck passiveHealthCheck;

    @Nullable
    StickyCookie sticky;

    StickyKey stickyKey = StickyKey.random();

    LevelOptions levels = LevelOptions.DEFAULT;

    @Nullable
    CircuitBreaker circuitBreaker;

    Limits limits = Limits.NONE;

    @Nullable
    AdaptiveLimit adaptiveLimit;

    ServiceSettings settings = ServiceSettings.DEFAULT;

    @Nullable
    Scheduler scheduler;

    RandomSource random = RandomSource.threadLocal();

    LoadBalancerBuilder(String name) {
        this.name = name;
    }

    /** Adds a server of weight 1; see {@link Endpoint#of(String)}. */
    public LoadBalancerBuilder endpoint(String url) {
        return endpoint(Endpoint.of(url));
    }

    /** Adds a server with a weight; see {@link Endpoint#of(String, int)}. */
    public LoadBalancerBuilder endpoint(String url, int weight) {
        return endpoint(Endpoint.of(url, weight));
    }

    /** Adds a server. */
    public LoadBalancerBuilder endpoint(Endpoint endpoint) {
        endpoints.add(endpoint);
        return this;
    }

    /** Adds servers. */
    public LoadBalancerBuilder endpoints(Collection<Endpoint> more) {
        endpoints.addAll(more);
        return this;
    }

    /** How to pick: a name of {@link Strategies#names()}, or of a user's own strategy; default {@code wrr}. */
    public LoadBalancerBuilder strategy(String strategyName) {
        this.strategyName = Objects.requireNonNull(strategyName, "strategy");
        this.strategy = null;
        return this;
    }

    /** How to pick: a strategy that no other service uses. */
    public LoadBalancerBuilder strategy(Strategy own) {
        this.strategy = own;
        return this;
    }

    /** The options of the strategy. */
    public LoadBalancerBuilder options(StrategyOptions strategyOptions) {
        this.options = strategyOptions;
        return this;
    }

    /** What a hash strategy hashes; see {@link StrategyOptions#withHashBy}. */
    public LoadBalancerBuilder hashBy(String hashBy) {
        options = options.withHashBy(hashBy);
        return this;
    }

    /** Checks the servers from outside; null, the default: not. */
    public LoadBalancerBuilder healthCheck(@Nullable HealthCheck check) {
        this.healthCheck = check;
        return this;
    }

    /** Ejects servers for their failures; null, the default: not. */
    public LoadBalancerBuilder passiveHealthCheck(@Nullable PassiveHealthCheck check) {
        this.passiveHealthCheck = check;
        return this;
    }

    /** When requests are sent again; by default {@link RetryPolicy#DEFAULT}. Part of the {@link #settings}. */
    public LoadBalancerBuilder retry(RetryPolicy policy) {
        settings = settings.withRetry(policy);
        return this;
    }

    /** When copies of slow requests are sent; null, the default: never. Part of the {@link #settings}. */
    public LoadBalancerBuilder hedge(@Nullable HedgePolicy policy) {
        settings = settings.withHedge(policy);
        return this;
    }

    /** Keeps a connection to each server ready; null, the default: not. Part of the {@link #settings}; for OkHttp. */
    public LoadBalancerBuilder readyConnections(@Nullable ReadyConnections ready) {
        settings = settings.withReadyConnections(ready);
        return this;
    }

    /** Keeps a client on the server that it had, by a cookie; null, the default: not. Proxies only. */
    public LoadBalancerBuilder sticky(@Nullable StickyCookie cookie) {
        this.sticky = cookie;
        return this;
    }

    /** Which servers a pick may go to, and with which part of their weight. */
    public LoadBalancerBuilder levels(LevelOptions levelOptions) {
        this.levels = levelOptions;
        return this;
    }

    /** How new and recovered servers come to their full weight; null, the default: at once. */
    public LoadBalancerBuilder slowStart(@Nullable SlowStart slowStart) {
        return levels(levels.withSlowStart(slowStart));
    }

    /** See {@link LevelOptions#panicThreshold()}; 0, the default: never. */
    public LoadBalancerBuilder panicThreshold(int percent) {
        return levels(levels.withPanicThreshold(percent));
    }

    /** See {@link LevelOptions#overprovisioningFactor()}; default 140. */
    public LoadBalancerBuilder overprovisioningFactor(int percent) {
        return levels(levels.withOverprovisioningFactor(percent));
    }

    /** The preferred zone; null, the default: zones are ignored. */
    public LoadBalancerBuilder zones(@Nullable ZonePreference zones) {
        return levels(levels.withZones(zones));
    }

    /** Gives each server a circuit breaker; null, the default: none. */
    public LoadBalancerBuilder circuitBreaker(@Nullable CircuitBreaker breaker) {
        this.circuitBreaker = breaker;
        return this;
    }

    /** How many requests may be under way, and wait; by default {@link Limits#NONE}. */
    public LoadBalancerBuilder limits(Limits inFlightAndQueue) {
        this.limits = inFlightAndQueue;
        return this;
    }

    /** Learns how many requests each server may have in flight; null, the default: not. */
    public LoadBalancerBuilder adaptiveLimit(@Nullable AdaptiveLimit limit) {
        this.adaptiveLimit = limit;
        return this;
    }

    /** How servers are spoken to, retries and hedging included: replaces what was said of these before. */
    public LoadBalancerBuilder settings(ServiceSettings serviceSettings) {
        this.settings = serviceSettings;
        return this;
    }

    /** Time and timers; null, the default: the load balancer's own, ended by its {@link LoadBalancer#close()}. */
    public LoadBalancerBuilder scheduler(@Nullable Scheduler shared) {
        this.scheduler = shared;
        return this;
    }

    /** Chance; by default the calling thread's. */
    public LoadBalancerBuilder random(RandomSource source) {
        this.random = source;
        return this;
    }

    /** The key of the cookie's values where the cookie names no secret. */
    LoadBalancerBuilder stickyKey(StickyKey ifNoSecret) {
        this.stickyKey = ifNoSecret;
        return this;
    }

    @Nullable
    Affinity affinity() {
        return sticky == null ? null : Affinity.of(sticky, stickyKey, name);
    }

    /**
     * The load balancer; its checks begin at once.
     *
     * @throws IllegalArgumentException the strategy is not known, or two endpoints have the same id
     */
    public LoadBalancer build() {
        return EndpointLoadBalancer.start(this);
    }
}
