package io.fairlead.servlet.routing;

import io.fairlead.config.ConfigFile;
import io.fairlead.config.ConfigNode;
import io.fairlead.config.ServiceSpec;
import io.fairlead.servlet.middleware.Middleware;
import io.fairlead.servlet.middleware.Middlewares;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All routers of one configuration, in the order in which they are asked: the greatest priority first, which is the
 * length of the rule unless one is given, and among equals as they stand in the file.
 *
 * <p>Immutable; safe for use from any thread.
 */
public final class RoutingTable {
    private final List<Router> routers;
    private final @Nullable Middlewares middlewares;

    private RoutingTable(List<Router> routers, @Nullable Middlewares middlewares) {
        this.routers = List.copyOf(routers);
        this.middlewares = middlewares;
    }

    /** A table that sends everything to one service. */
    public static RoutingTable everythingTo(String service) {
        return new RoutingTable(List.of(new Router("", service, List.of(), (request, path) -> true, 0)), null);
    }

    /** A table without routers, which matches nothing. */
    public static RoutingTable empty() {
        return new RoutingTable(List.of(), null);
    }

    /**
     * Reads {@code http.routers} and {@code http.middlewares}. What is wrong in them joins the file's problems. Without
     * routers, the only service of the file gets everything.
     *
     * @param before the table of the state of the file before this one, whose middlewares are kept where they have learnt
     *     something and are configured as before; null: none
     */
    public static RoutingTable read(ConfigFile file, @Nullable RoutingTable before) {
        Middlewares middlewares = Middlewares.read(file, before == null ? null : before.middlewares);
        ConfigNode node = file.http().get("routers");
        List<Router> routers = new ArrayList<>();
        for (ConfigNode entry : node.entries()) {
            Router router = router(entry, file, middlewares);
            if (router != null) {
                routers.add(router);
            }
        }
        if (node.isMissing() || node.entries().isEmpty()) {
            List<ServiceSpec> services = file.services();
            if (services.size() > 1) {
                node.notice(
                        "is missing, and there are " + services.size() + " services: no request goes to any of them");
            }
            return services.size() == 1 ? everythingTo(services.get(0).name()) : empty();
        }
        routers.sort(Comparator.comparingInt(Router::priority).reversed());
        return new RoutingTable(routers, middlewares);
    }

    private static @Nullable Router router(ConfigNode node, ConfigFile file, Middlewares middlewares) {
        node.allow("rule", "service", "middlewares", "priority", "entryPoints");
        node.get("entryPoints").strings();
        int priority = node.get("priority").integer(Integer.MIN_VALUE, Integer.MAX_VALUE, 0);
        String service = node.get("service").requiredString();
        if (service != null && !file.hasService(service)) {
            node.get("service").problem("there is no service '" + service + "'");
        }
        List<Middleware> chain = new ArrayList<>();
        for (ConfigNode item : node.get("middlewares").items()) {
            String name = item.requiredString();
            if (name != null && !middlewares.isNamed(name)) {
                item.problem("there is no middleware '" + name + "'");
            }
            Middleware middleware = name == null ? null : middlewares.get(name, node.key());
            if (middleware != null) {
                chain.add(middleware);
            }
        }
        String text = node.get("rule").requiredString();
        if (service == null || text == null) {
            return null;
        }
        try {
            Rule rule = RuleParser.parse(text);
            return new Router(node.key(), service, chain, rule, priority == 0 ? text.length() : priority);
        } catch (RuleException e) {
            node.get("rule").problem(e.getMessage());
            return null;
        }
    }

    /** The names of the services that the routers lead to, as the routers write them. */
    public Set<String> services() {
        Set<String> services = new HashSet<>();
        routers.forEach(router -> services.add(router.service()));
        return services;
    }

    /** Whether all middlewares are {@linkplain Middleware#isQuick() quick}. */
    public boolean isQuick() {
        return routers.stream().allMatch(router -> router.middlewares().stream().allMatch(Middleware::isQuick));
    }

    /** The router for a request; null when none matches. */
    public @Nullable Router match(RouteFacts request) {
        String path = PathForm.normal(request.path());
        for (Router router : routers) {
            if (router.matches(request, path)) {
                return router;
            }
        }
        return null;
    }
}
