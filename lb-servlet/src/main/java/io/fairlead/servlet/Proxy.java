package io.fairlead.servlet;

import io.fairlead.LoadBalancer;
import io.fairlead.LoadBalancers;
import io.fairlead.config.ConfigFile;
import io.fairlead.config.ConfigProblem;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A filter that has been initialised: load balancers, clients, and the routes, which follow the load balancers when
 * these are loaded from a new state of their file.
 */
final class Proxy {
    private static final Logger log = LoggerFactory.getLogger(ProxyFilter.class);

    private final LoadBalancers balancers;
    private final Upstreams upstreams;
    private final ResponseBreaker breaker;
    private volatile Loaded loaded;

    /** @throws io.fairlead.config.ConfigException the routes are wrong */
    Proxy(LoadBalancers balancers, Upstreams upstreams, ResponseBreaker breaker) {
        this.balancers = balancers;
        this.upstreams = upstreams;
        this.breaker = breaker;
        ConfigFile file = balancers.configFile();
        try {
            loaded = file == null ? byHand() : new Loaded(file, ProxyConfig.read(file));
            if (file != null) {
                file.throwIfBroken();
            }
        } catch (RuntimeException e) {
            upstreams.close();
            throw e;
        }
    }

    private Loaded byHand() {
        List<String> services = new ArrayList<>();
        balancers.all().forEach(balancer -> services.add(balancer.name()));
        return new Loaded(null, ProxyConfig.of(services));
    }

    ProxyConfig config() {
        Loaded now = loaded;
        return balancers.configFile() == now.file ? now.config : follow();
    }

    private synchronized ProxyConfig follow() {
        ConfigFile file = balancers.configFile();
        if (file != null && file != loaded.file) {
            ProxyConfig read = ProxyConfig.read(file);
            if (file.problems().isEmpty()) {
                loaded = new Loaded(file, read);
            } else {
                for (ConfigProblem problem : file.problems().list()) {
                    log.error("the routes stay as they were: {}", problem);
                }
                loaded = new Loaded(file, loaded.config);
            }
        }
        return loaded.config;
    }

    @Nullable
    LoadBalancer balancer(String service) {
        return balancers.get(service);
    }

    Upstreams upstreams() {
        return upstreams;
    }

    ResponseBreaker breaker() {
        return breaker;
    }

    private record Loaded(@Nullable ConfigFile file, ProxyConfig config) {}
}
