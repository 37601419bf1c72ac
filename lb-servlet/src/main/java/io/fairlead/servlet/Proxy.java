package io.fairlead.servlet;

import io.fairlead.LoadBalancer;
import io.fairlead.LoadBalancers;
import io.fairlead.config.ConfigFile;
import io.fairlead.config.ConfigProblem;
import io.fairlead.servlet.forward.ForwardRules;
import io.fairlead.servlet.log.AccessLog;
import io.fairlead.servlet.routing.RouteFacts;
import io.fairlead.servlet.routing.Router;
import io.fairlead.servlet.tunnel.Takeover;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A filter that has been initialised: load balancers, clients, and the routes, which follow the load balancers when
 * these are loaded from a new state of their file.
 */
final class Proxy implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ProxyFilter.class);

    private final LoadBalancers balancers;
    private final Upstreams upstreams;
    private final ResponseBreaker breaker;
    private final Takeover takeover;
    private final AccessLog accessLog;
    private volatile @Nullable Forwarding forwarding;
    private volatile Loaded loaded;
    private volatile boolean stopping;

    /** @throws io.fairlead.config.ConfigException the routes are wrong */
    Proxy(
            LoadBalancers balancers,
            Upstreams upstreams,
            ResponseBreaker breaker,
            Takeover takeover,
            AccessLog accessLog) {
        this.balancers = balancers;
        this.upstreams = upstreams;
        this.breaker = breaker;
        this.takeover = takeover;
        this.accessLog = accessLog;
        ConfigFile file = balancers.configFile();
        if (file == null) {
            List<String> services = new ArrayList<>();
            balancers.all().forEach(balancer -> services.add(balancer.name()));
            loaded = load(null, ProxyConfig.of(services));
        } else {
            ProxyConfig config = ProxyConfig.read(file, null);
            file.throwIfBroken();
            loaded = load(file, config);
        }
    }

    AccessLog accessLog() {
        return accessLog;
    }

    /** How many tunnels are under way. */
    int tunnels() {
        Forwarding forward = forwarding;
        return upstreams.tunnels() + (forward == null ? 0 : forward.upstreams().tunnels());
    }

    /** The newest state of the file. A request asks once, and keeps to what it got. */
    Loaded loaded() {
        Loaded now = loaded;
        return balancers.configFile() == now.file ? now : follow();
    }

    private synchronized Loaded follow() {
        Loaded now = loaded;
        // Until the file is the same before and after its services are looked up, they may be another state's.
        for (ConfigFile file = balancers.configFile(); file != now.file; file = balancers.configFile()) {
            ProxyConfig config = file == null ? now.config : ProxyConfig.read(file, now.config);
            if (file != null && !file.problems().isEmpty()) {
                // Only a change in the moment in which the filter began, since from then on it is asked before.
                for (ConfigProblem problem : file.problems().list()) {
                    log.error("the routes stay as they were: {}", problem);
                }
                config = now.config;
            }
            now = load(file, config);
            loaded = now;
        }
        return now;
    }

    private Loaded load(@Nullable ConfigFile file, ProxyConfig config) {
        Map<String, LoadBalancer> services = new HashMap<>();
        for (String service : config.routes().services()) {
            LoadBalancer balancer = balancers.get(service);
            if (balancer != null) {
                services.put(service, balancer);
            }
        }
        Map<String, LoadBalancer> all = new HashMap<>();
        balancers.all().forEach(balancer -> all.put(balancer.name().toLowerCase(Locale.ROOT), balancer));
        accessLog.configure(config.accessLog());
        ProxyParts parts = new ProxyParts(
                upstreams, config.trust(), Map.copyOf(all), breaker, takeover, accessLog, () -> stopping);
        return new Loaded(file, config, services, parts, forwarding(config.forward()));
    }

    /** Its clients are made when a configuration first asks for them, and stay. */
    private @Nullable Forwarding forwarding(@Nullable ForwardRules rules) {
        Forwarding forward = forwarding;
        if (forward == null && rules != null) {
            forward = new Forwarding(upstreams.another());
            forwarding = forward;
        }
        if (forward != null) {
            forward.follow(rules);
        }
        return rules == null ? null : forward;
    }

    /** Has no server asked any more, and ends what it has made itself. */
    @Override
    public void close() {
        stopping = true;
        Forwarding forward = forwarding;
        if (forward != null) {
            forward.close();
        }
    }

    /** One state of the configuration, whole: its routes, and the load balancers that they lead to. Immutable. */
    static final class Loaded {
        private final @Nullable ConfigFile file;
        private final ProxyConfig config;
        private final Map<String, LoadBalancer> services;
        private final ProxyParts parts;
        private final boolean quick;
        private final @Nullable Forwarding forwarding;

        private Loaded(
                @Nullable ConfigFile file,
                ProxyConfig config,
                Map<String, LoadBalancer> services,
                ProxyParts parts,
                @Nullable Forwarding forwarding) {
            this.file = file;
            this.config = config;
            this.services = Map.copyOf(services);
            this.parts = parts;
            this.forwarding = forwarding;
            quick = config.routes().isQuick();
        }

        boolean isQuick() {
            return quick;
        }

        Trust trust() {
            return config.trust();
        }

        @Nullable
        Router match(RouteFacts facts) {
            return config.routes().match(facts);
        }

        /** The load balancer that a router of this state leads to; null where there is none of the service's name. */
        @Nullable
        LoadBalancer balancer(Router router) {
            return services.get(router.service());
        }

        ProxyParts parts() {
            return parts;
        }

        /** Which hosts are forwarded to; null: none. */
        @Nullable
        ForwardRules forwardRules() {
            return config.forward();
        }

        /** Forwards to them; null: there are none. */
        @Nullable
        Forwarding forwarding() {
            return forwarding;
        }
    }
}
