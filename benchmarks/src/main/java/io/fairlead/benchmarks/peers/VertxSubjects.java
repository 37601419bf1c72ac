package io.fairlead.benchmarks.peers;

import io.fairlead.benchmarks.Fleet;
import io.fairlead.benchmarks.Subject;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.net.endpoint.InteractionMetrics;
import io.vertx.core.net.endpoint.LoadBalancer;
import io.vertx.core.net.endpoint.ServerEndpoint;
import io.vertx.core.net.endpoint.ServerInteraction;
import io.vertx.core.net.endpoint.ServerSelector;
import java.util.ArrayList;
import java.util.List;

/** The load balancers of Vert.x's clients. They know no weights. */
public final class VertxSubjects {
    private VertxSubjects() {}

    /** {@link LoadBalancer#ROUND_ROBIN}. */
    public static Subject roundRobin(Fleet fleet) {
        return keyless(LoadBalancer.ROUND_ROBIN, fleet);
    }

    /** {@link LoadBalancer#RANDOM}. */
    public static Subject random(Fleet fleet) {
        return keyless(LoadBalancer.RANDOM, fleet);
    }

    /** {@link LoadBalancer#POWER_OF_TWO_CHOICES}. */
    public static Subject powerOfTwoChoices(Fleet fleet) {
        return keyless(LoadBalancer.POWER_OF_TWO_CHOICES, fleet);
    }

    /** {@link LoadBalancer#LEAST_REQUESTS}. */
    public static Subject leastRequests(Fleet fleet) {
        return keyless(LoadBalancer.LEAST_REQUESTS, fleet);
    }

    /** {@link LoadBalancer#CONSISTENT_HASHING}, which hashes the key's text by MD5; four points a server. */
    public static Subject consistentHashing(Fleet fleet) {
        List<Server> servers = servers(LoadBalancer.CONSISTENT_HASHING, fleet);
        ServerSelector selector = LoadBalancer.CONSISTENT_HASHING.selector(servers);
        return key -> servers.get(selector.select(key.text()));
    }

    private static Subject keyless(LoadBalancer balancer, Fleet fleet) {
        List<Server> servers = servers(balancer, fleet);
        ServerSelector selector = balancer.selector(servers);
        return key -> servers.get(selector.select());
    }

    private static List<Server> servers(LoadBalancer balancer, Fleet fleet) {
        List<Server> servers = new ArrayList<>();
        for (int i = 0; i < fleet.size(); i++) {
            InteractionMetrics<?> metrics = balancer.newMetrics();
            for (int busy = 0; busy < fleet.inFlight(i); busy++) {
                metrics.initiateRequest();
            }
            servers.add(new Server(fleet.host(i), fleet.port(), metrics));
        }
        return servers;
    }

    private record Server(String host, int port, InteractionMetrics<?> metrics) implements ServerEndpoint {
        @Override
        public String key() {
            return host + ":" + port;
        }

        @Override
        public SocketAddress address() {
            return SocketAddress.inetSocketAddress(port, host);
        }

        @Override
        public ServerInteraction newInteraction() {
            throw new UnsupportedOperationException("no request is sent");
        }

        @Override
        public Object unwrap() {
            return this;
        }
    }
}
