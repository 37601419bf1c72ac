package io.fairlead.agent;

import io.fairlead.Endpoint;
import io.fairlead.LoadBalancer;
import io.fairlead.LoadBalancers;
import io.fairlead.config.ConfigFile;
import io.fairlead.config.LoadBalancerSpec;
import io.fairlead.config.ServiceSpec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The services of a configuration file by their names, without the servers that an agent cannot use: it changes where a
 * connection goes and nothing else, so a server's URL must have the call's scheme and no path.
 *
 * <p>Safe for use from any thread.
 */
public final class Services {
    private final Map<String, Service> byName;

    private Services(Map<String, Service> byName) {
        this.byName = byName;
    }

    /**
     * The services of a file, for calls of one scheme. Their health checks begin at once.
     *
     * @param scheme {@code http} or {@code https}
     */
    static Services of(ConfigFile file, String scheme) {
        LoadBalancers balancers = LoadBalancers.from(file);
        Map<String, ServiceSpec> specs = new HashMap<>();
        for (ServiceSpec spec : file.services()) {
            specs.put(key(spec.name()), spec);
            leaveOut(spec, scheme, balancers);
        }
        Map<String, Service> byName = new HashMap<>();
        for (LoadBalancer balancer : balancers.all()) {
            List<String> leftOut = new ArrayList<>();
            collect(balancer.name(), specs, scheme, leftOut, new HashSet<>());
            byName.put(key(balancer.name()), new Service(balancer, leftOut));
        }
        return new Services(Collections.unmodifiableMap(byName));
    }

    /** The service of a host's name, compared without case; null: there is none, and the call is not ours. */
    public @Nullable Service get(@Nullable String host) {
        return host == null ? null : byName.get(key(host));
    }

    /** How many there are. */
    int size() {
        return byName.size();
    }

    private static void leaveOut(ServiceSpec spec, String scheme, LoadBalancers balancers) {
        LoadBalancer balancer = balancers.get(spec.name());
        if (!(spec instanceof LoadBalancerSpec) || balancer == null) {
            return;
        }
        List<Endpoint> servers = ((LoadBalancerSpec) spec).servers();
        List<Endpoint> usable = new ArrayList<>(servers);
        usable.removeIf(server -> reason(server, scheme) != null);
        if (usable.size() < servers.size()) {
            balancer.update(usable);
        }
    }

    private static void collect(
            String name, Map<String, ServiceSpec> specs, String scheme, List<String> leftOut, Set<String> seen) {
        ServiceSpec spec = specs.get(key(name));
        if (spec == null || !seen.add(key(name))) {
            return;
        }
        for (String part : spec.parts()) {
            collect(part, specs, scheme, leftOut, seen);
        }
        if (spec instanceof LoadBalancerSpec) {
            for (Endpoint server : ((LoadBalancerSpec) spec).servers()) {
                String reason = reason(server, scheme);
                if (reason != null) {
                    leftOut.add("service '" + spec.name() + "': the agent leaves server " + server.uri() + " out: "
                            + reason);
                }
            }
        }
    }

    private static @Nullable String reason(Endpoint server, String scheme) {
        if (!server.scheme().equals(scheme)) {
            return "the call's scheme is " + scheme + ", which it cannot change";
        }
        return server.path().isEmpty() ? null : "it cannot put a path before the request's";
    }

    private static String key(String name) {
        return name.toLowerCase(Locale.ROOT);
    }
}
