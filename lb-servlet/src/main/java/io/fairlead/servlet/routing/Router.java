package io.fairlead.servlet.routing;

import io.fairlead.servlet.middleware.Middleware;
import java.util.List;

/**
 * Sends the requests that a rule matches to a service, through middlewares.
 *
 * <p>Immutable.
 */
public final class Router {
    private final String name;
    private final String service;
    private final List<Middleware> middlewares;
    private final Rule rule;
    private final int priority;

    Router(String name, String service, List<Middleware> middlewares, Rule rule, int priority) {
        this.name = name;
        this.service = service;
        this.middlewares = List.copyOf(middlewares);
        this.rule = rule;
        this.priority = priority;
    }

    /** The router's name. */
    public String name() {
        return name;
    }

    /** The name of the service that gets the requests. */
    public String service() {
        return service;
    }

    /** What the requests go through before, in order. */
    public List<Middleware> middlewares() {
        return middlewares;
    }

    int priority() {
        return priority;
    }

    boolean matches(RouteFacts request, String path) {
        return rule.matches(request, path);
    }

    @Override
    public String toString() {
        return "Router{" + name + " -> " + service + "}";
    }
}
