package io.fairlead.config;

import io.fairlead.Endpoint;
import io.fairlead.LevelOptions;
import io.fairlead.ServiceSettings;
import io.fairlead.health.CircuitBreaker;
import io.fairlead.health.HealthCheck;
import io.fairlead.health.PassiveHealthCheck;
import io.fairlead.limit.AdaptiveLimit;
import io.fairlead.limit.Limits;
import io.fairlead.sticky.StickyCookie;
import io.fairlead.strategy.StrategyOptions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A service of servers. */
public final class LoadBalancerSpec extends ServiceSpec {
    private final String strategy;
    private final StrategyOptions options;
    private final List<Endpoint> servers;
    private final @Nullable HealthCheck healthCheck;
    private final @Nullable PassiveHealthCheck passiveHealthCheck;
    private final @Nullable CircuitBreaker circuitBreaker;
    private final Limits limits;
    private final @Nullable AdaptiveLimit adaptiveLimit;
    private final @Nullable StickyCookie sticky;
    private final LevelOptions levels;
    private final ServiceSettings settings;

    private LoadBalancerSpec(Builder builder) {
        super(builder.name);
        strategy = builder.strategy;
        options = builder.options;
        servers = Collections.unmodifiableList(new ArrayList<>(builder.servers));
        healthCheck = builder.healthCheck;
        passiveHealthCheck = builder.passiveHealthCheck;
        circuitBreaker = builder.circuitBreaker;
        limits = builder.limits;
        adaptiveLimit = builder.adaptiveLimit;
        sticky = builder.sticky;
        levels = builder.levels;
        settings = builder.settings;
    }

    /** The strategy's name, {@code wrr} where the file names none. */
    public String strategy() {
        return strategy;
    }

    /** The strategy's options. */
    public StrategyOptions options() {
        return options;
    }

    /** The servers, in the order of the file; unmodifiable. */
    public List<Endpoint> servers() {
        return servers;
    }

    /** How the servers are checked from outside; null: not. */
    public @Nullable HealthCheck healthCheck() {
        return healthCheck;
    }

    /** How servers are ejected for their failures; null: not. */
    public @Nullable PassiveHealthCheck passiveHealthCheck() {
        return passiveHealthCheck;
    }

    /** The circuit breaker of each server; null: none. */
    public @Nullable CircuitBreaker circuitBreaker() {
        return circuitBreaker;
    }

    /** How many requests may be under way, and wait. */
    public Limits limits() {
        return limits;
    }

    /** How the limit of each server is learnt; null: not. */
    public @Nullable AdaptiveLimit adaptiveLimit() {
        return adaptiveLimit;
    }

    /** The cookie that keeps a client on a server; null: none. */
    public @Nullable StickyCookie sticky() {
        return sticky;
    }

    /** Which servers a pick may go to, and with which part of their weight. */
    public LevelOptions levels() {
        return levels;
    }

    /** How the servers are spoken to. */
    public ServiceSettings settings() {
        return settings;
    }

    @Override
    public String kind() {
        return "loadBalancer";
    }

    @Override
    List<@Nullable Object> values() {
        return Arrays.asList(
                strategy,
                options,
                servers,
                healthCheck,
                passiveHealthCheck,
                circuitBreaker,
                limits,
                adaptiveLimit,
                sticky,
                levels,
                settings);
    }

    /** Collects what the reader finds. */
    static final class Builder {
        final String name;
        String strategy = "wrr";
        StrategyOptions options = StrategyOptions.DEFAULT;
        List<Endpoint> servers = Collections.emptyList();

        @Nullable
        HealthCheck healthCheck;

        @Nullable
        PassiveHealthCheck passiveHealthCheck;

        @Nullable
        CircuitBreaker circuitBreaker;

        Limits limits = Limits.NONE;

        @Nullable
        AdaptiveLimit adaptiveLimit;

        @Nullable
        StickyCookie sticky;

        LevelOptions levels = LevelOptions.DEFAULT;
        ServiceSettings settings = ServiceSettings.DEFAULT;

        Builder(String name) {
            this.name = name;
        }

        LoadBalancerSpec build() {
            return new LoadBalancerSpec(this);
        }
    }
}
