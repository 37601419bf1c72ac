package io.fairlead;

import io.fairlead.compose.FailoverLoadBalancer;
import io.fairlead.compose.Mirror;
import io.fairlead.compose.MirroringLoadBalancer;
import io.fairlead.compose.WeightedLoadBalancer;
import io.fairlead.config.FailoverSpec;
import io.fairlead.config.LoadBalancerSpec;
import io.fairlead.config.MirroringSpec;
import io.fairlead.config.ServiceSpec;
import io.fairlead.config.WeightedSpec;
import io.fairlead.sticky.StickyKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Builds the load balancers of a file's services, those that others are made of first. The file has been checked: every
 * part exists, none is made of itself, and none is deeply nested.
 *
 * <p>A service of servers keeps the load balancer of the assembly before, and with it all that was learnt; so does a
 * service of services of which nothing changed.
 */
final class ServiceAssembly {
    private static final Logger log = LoggerFactory.getLogger(LoadBalancers.class);

    private final Map<String, ServiceSpec> specs = new LinkedHashMap<>();
    private final Map<String, LoadBalancer> built = new HashMap<>();
    private final Set<LoadBalancer> kept = new HashSet<>();
    private final Map<EndpointLoadBalancer, LoadBalancerBuilder> changes = new LinkedHashMap<>();
    private final Scheduler scheduler;
    /** Of the cookies without a secret; the same for every state of the file, so that clients stay. */
    private final StickyKey stickyKey;

    private final Predicate<Endpoint> usable;
    /** What is kept comes from here; null once all is assembled, or each assembly would hold all those before it. */
    private @Nullable ServiceAssembly before;

    ServiceAssembly(
            Collection<ServiceSpec> services,
            Scheduler scheduler,
            Predicate<Endpoint> usable,
            @Nullable ServiceAssembly before) {
        this.usable = usable;
        this.before = before;
        stickyKey = before == null ? StickyKey.random() : before.stickyKey;
        for (ServiceSpec spec : services) {
            specs.put(key(spec.name()), spec);
        }
        this.scheduler = scheduler;
    }

    /** The load balancers in the order of their services. */
    List<LoadBalancer> assemble() {
        List<LoadBalancer> all = new ArrayList<>();
        for (String name : specs.keySet()) {
            all.add(service(name));
        }
        return all;
    }

    /** Gives the load balancers that were kept their new descriptions, once all the others have been built. */
    void commit() {
        changes.forEach((balancer, change) -> {
            try {
                balancer.reconfigure(change);
            } catch (RuntimeException e) {
                // A strategy of the user's own: the other services are none the worse for it.
                log.error("service '{}' stays as it was: its strategy refuses the change", balancer.name(), e);
            }
        });
        changes.clear();
        before = null;
    }

    /** Closes what has been built anew, when the rest cannot be. */
    void abandon() {
        built.values().stream().filter(balancer -> !kept.contains(balancer)).forEach(LoadBalancer::close);
    }

    /** Closes what the next assembly has not kept; everything where there is none. */
    void close(@Nullable ServiceAssembly next) {
        built.values().stream()
                .filter(balancer -> next == null || !next.kept.contains(balancer))
                .forEach(LoadBalancer::close);
    }

    private @Nullable LoadBalancer keep(ServiceSpec spec) {
        LoadBalancer known = before == null ? null : before.built.get(key(spec.name()));
        ServiceSpec old = before == null ? null : before.specs.get(key(spec.name()));
        if (known == null || old == null) {
            return null;
        }
        for (String part : spec.parts()) {
            if (!kept.contains(service(part))) {
                return null;
            }
        }
        if (!spec.equals(old)) {
            if (!(spec instanceof LoadBalancerSpec) || !(known instanceof EndpointLoadBalancer)) {
                return null;
            }
            changes.put((EndpointLoadBalancer) known, builder((LoadBalancerSpec) spec));
        }
        kept.add(known);
        return known;
    }

    private LoadBalancer service(String name) {
        LoadBalancer known = built.get(key(name));
        if (known != null) {
            return known;
        }
        ServiceSpec spec = specs.get(key(name));
        if (spec == null) {
            throw new IllegalArgumentException("there is no service '" + name + "'");
        }
        LoadBalancer balancer = keep(spec);
        if (balancer == null) {
            balancer = build(spec);
        }
        built.put(key(name), balancer);
        return balancer;
    }

    private LoadBalancer build(ServiceSpec spec) {
        if (spec instanceof FailoverSpec) {
            FailoverSpec failover = (FailoverSpec) spec;
            return new FailoverLoadBalancer(
                    spec.name(), service(failover.service()), service(failover.fallback()), scheduler);
        }
        if (spec instanceof WeightedSpec) {
            Map<LoadBalancer, Integer> services = new LinkedHashMap<>();
            for (WeightedSpec.Part part : ((WeightedSpec) spec).services()) {
                services.put(service(part.name()), part.weight());
            }
            return new WeightedLoadBalancer(
                    spec.name(), services, ((WeightedSpec) spec).sticky(), stickyKey, scheduler);
        }
        if (spec instanceof MirroringSpec) {
            MirroringSpec mirroring = (MirroringSpec) spec;
            List<Mirror> mirrors = new ArrayList<>();
            for (MirroringSpec.Mirror mirror : mirroring.mirrors()) {
                mirrors.add(new Mirror(service(mirror.name()), mirror.percent(), mirroring.options()));
            }
            return new MirroringLoadBalancer(spec.name(), service(mirroring.service()), mirrors, scheduler);
        }
        try {
            return builder((LoadBalancerSpec) spec).build();
        } catch (RuntimeException e) {
            throw new Refused((LoadBalancerSpec) spec, e);
        }
    }

    /** A service cannot be built: its strategy, one of the user's own, fails. */
    static final class Refused extends RuntimeException {
        private static final long serialVersionUID = 1L;

        final String service;

        Refused(LoadBalancerSpec spec, RuntimeException cause) {
            super("its strategy '" + spec.strategy() + "' fails: " + cause, cause);
            service = spec.name();
        }
    }

    private LoadBalancerBuilder builder(LoadBalancerSpec spec) {
        return LoadBalancer.builder(spec.name())
                .endpoints(spec.servers().stream().filter(usable).collect(Collectors.toList()))
                .strategy(spec.strategy())
                .options(spec.options())
                .healthCheck(spec.healthCheck())
                .passiveHealthCheck(spec.passiveHealthCheck())
                .levels(spec.levels())
                .circuitBreaker(spec.circuitBreaker())
                .limits(spec.limits())
                .adaptiveLimit(spec.adaptiveLimit())
                .settings(spec.settings())
                .sticky(spec.sticky())
                .stickyKey(stickyKey)
                .scheduler(scheduler);
    }

    private static String key(String name) {
        return name.toLowerCase(Locale.ROOT);
    }
}
