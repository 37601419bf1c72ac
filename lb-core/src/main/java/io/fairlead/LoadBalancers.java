package io.fairlead;

import io.fairlead.config.ConfigException;
import io.fairlead.config.ConfigFile;
import io.fairlead.config.ConfigProblem;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Load balancers by the names of their services.
 *
 * <p>Safe for use from any thread.
 */
public final class LoadBalancers implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(LoadBalancers.class);

    private final Map<String, LoadBalancer> byName;
    private final @Nullable ConfigFile configFile;
    private final @Nullable Scheduler scheduler;
    private final AtomicBoolean closed = new AtomicBoolean();

    private LoadBalancers(
            Collection<LoadBalancer> balancers, @Nullable ConfigFile configFile, @Nullable Scheduler scheduler) {
        Map<String, LoadBalancer> map = new LinkedHashMap<>();
        for (LoadBalancer balancer : balancers) {
            if (map.put(key(balancer.name()), balancer) != null) {
                throw new IllegalArgumentException("two services are named '" + balancer.name() + "'");
            }
        }
        this.byName = Collections.unmodifiableMap(map);
        this.configFile = configFile;
        this.scheduler = scheduler;
    }

    /**
     * Load balancers that were built by hand. Closing the result closes them.
     *
     * @throws IllegalArgumentException two have the same name, compared without case
     */
    public static LoadBalancers of(LoadBalancer... balancers) {
        List<LoadBalancer> list = new ArrayList<>();
        Collections.addAll(list, balancers);
        return new LoadBalancers(list, null, null);
    }

    /**
     * Every service of a configuration file. Its checks of health begin at once.
     *
     * @throws ConfigException the file is missing, unreadable or wrong; the message holds one line a problem
     */
    public static LoadBalancers load(Path file) {
        return from(ConfigFile.read(file));
    }

    /**
     * Every service of a configuration file that has been read. The checks of health begin at once.
     *
     * @throws ConfigException the file has problems
     */
    public static LoadBalancers from(ConfigFile file) {
        return from(file, Scheduler.system());
    }

    /** As {@link #from(ConfigFile)}, by a scheduler that is closed with the result, or when there is none. */
    static LoadBalancers from(ConfigFile file, Scheduler scheduler) {
        ServiceAssembly assembly = new ServiceAssembly(file.services(), scheduler);
        try {
            file.throwIfBroken();
            for (ConfigProblem notice : file.notices()) {
                log.warn("{}", notice);
            }
            return new LoadBalancers(assembly.assemble(), file, scheduler);
        } catch (RuntimeException e) {
            assembly.close();
            scheduler.close();
            throw e;
        }
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
        return byName.values();
    }

    /** The file that they were loaded from; null where they were built by hand. */
    public @Nullable ConfigFile configFile() {
        return configFile;
    }

    /** Closes each of them, and ends the threads that they share. A second call does nothing. */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        byName.values().forEach(LoadBalancer::close);
        if (scheduler != null) {
            scheduler.close();
        }
    }

    @Override
    public String toString() {
        return "LoadBalancers" + byName.keySet();
    }

    private static String key(String name) {
        return name.toLowerCase(Locale.ROOT);
    }
}
