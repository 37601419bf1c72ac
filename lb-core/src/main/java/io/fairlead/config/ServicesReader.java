package io.fairlead.config;

import io.fairlead.ServiceSettings;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads {@code http.services}. */
final class ServicesReader {
    private static final String[] KINDS = {"loadBalancer", "failover", "weighted", "mirroring"};
    private static final String[] BESIDE = {
        "healthCheck", "passiveHealthCheck", "sticky", "slowStart", "passHostHeader", "retry", "hedge"
    };
    private static final String[] KEYS = concat(KINDS, BESIDE);

    /** By the name without case, those too that could not be read, since others may rightly refer to them. */
    private final Map<String, String> names = new LinkedHashMap<>();

    private final List<ServiceSpec> specs = new ArrayList<>();
    private final References references = new References(names);
    private final Map<String, ServiceSettings> transports;

    private ServicesReader(Map<String, ServiceSettings> transports) {
        this.transports = transports;
    }

    /** No services at all. */
    static ServicesReader none() {
        return new ServicesReader(Collections.emptyMap());
    }

    /**
     * Reads all services.
     *
     * @param transports what the services' {@code serversTransport} may name, by name without case
     */
    static ServicesReader read(ConfigNode services, Map<String, ServiceSettings> transports) {
        ServicesReader reader = new ServicesReader(transports);
        if (services.require()) {
            reader.readAll(services);
        }
        return reader;
    }

    /** The services that could be read, in the order of the file. */
    List<ServiceSpec> specs() {
        return specs;
    }

    boolean hasService(String name) {
        return names.containsKey(name.toLowerCase(Locale.ROOT));
    }

    private void readAll(ConfigNode services) {
        List<ConfigNode> entries = services.entries();
        if (entries.isEmpty() && services.isMapping()) {
            services.problem("names no service");
        }
        for (ConfigNode service : entries) {
            if (service.key().isEmpty()) {
                service.problem("a service needs a name");
            }
            names.put(service.key().toLowerCase(Locale.ROOT), service.key());
        }
        for (ConfigNode service : entries) {
            ServiceSpec spec = service(service);
            if (spec != null) {
                specs.add(spec);
            }
        }
        references.check();
    }

    private @Nullable ServiceSpec service(ConfigNode service) {
        if (!service.require()) {
            return null;
        }
        service.allow(KEYS);
        String kind = kind(service);
        if (kind == null) {
            return null;
        }
        if (kind.equals("loadBalancer")) {
            return LoadBalancerReader.read(service, transports);
        }
        for (String key : BESIDE) {
            if (service.has(key)) {
                service.get(key).problem("stands only beside loadBalancer, not beside " + kind);
            }
        }
        ConfigNode composed = service.get(kind);
        if (!composed.require()) {
            return null;
        }
        return new ComposedReader(service.key(), references).read(kind, composed);
    }

    /** Which of the kinds a service is; null, with a problem, when it is none of them. */
    private static @Nullable String kind(ConfigNode service) {
        String found = null;
        for (String kind : KINDS) {
            if (!service.has(kind)) {
                continue;
            }
            if (found != null) {
                service.get(kind).problem("stands beside " + found + "; a service is one of the two");
            } else {
                found = kind;
            }
        }
        if (found == null && service.isMapping() && !service.hasMisspelt(KINDS)) {
            service.problem("needs one of " + String.join(", ", KINDS));
        }
        return found;
    }

    private static String[] concat(String[] a, String[] b) {
        String[] all = new String[a.length + b.length];
        System.arraycopy(a, 0, all, 0, a.length);
        System.arraycopy(b, 0, all, a.length, b.length);
        return all;
    }
}
