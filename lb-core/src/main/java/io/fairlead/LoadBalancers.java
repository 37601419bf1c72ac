package io.fairlead;

import java.nio.file.Path;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Load balancers by the names of their services.
 *
 * <p>Safe for use from any thread.
 */
public final class LoadBalancers implements AutoCloseable {
    private final Map<String, LoadBalancer> byName;

    private LoadBalancers(Map<String, LoadBalancer> byName) {
        this.byName = byName;
    }

    /**
     * Load balancers that were built by hand. Closing the result closes them.
     *
     * @throws IllegalArgumentException two have the same name, compared without case
     */
    public static LoadBalancers of(LoadBalancer... balancers) {
        Map<String, LoadBalancer> byName = new LinkedHashMap<>();
        for (LoadBalancer balancer : balancers) {
            if (byName.put(key(balancer.name()), balancer) != null) {
                throw new IllegalArgumentException("two services are named '" + balancer.name() + "'");
            }
        }
        return new LoadBalancers(byName);
    }

    /** Every service of a configuration file. */
    public static LoadBalancers load(Path file) {
        return of(LoadBalancer.builder(file.toString()).build());
    }

    /**
     * The load balancer of a service.
     *
     * @param name the service's name, compared without case, as host names are
     * @return null when there is no such service
     */
    public @Nullable LoadBalancer get(String name) {
        return byName.get(key(name));
    }

    /** All of them, in the order of the file; unmodifiable. */
    public Collection<LoadBalancer> all() {
        return Collections.unmodifiableCollection(byName.values());
    }

    /** Closes each of them. A second call does nothing. */
    @Override
    public void close() {
        byName.values().forEach(LoadBalancer::close);
    }

    private static String key(String name) {
        return name.toLowerCase(Locale.ROOT);
    }
}
