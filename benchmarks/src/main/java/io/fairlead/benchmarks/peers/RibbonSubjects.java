package io.fairlead.benchmarks.peers;

import com.netflix.loadbalancer.AbstractLoadBalancerRule;
import com.netflix.loadbalancer.BaseLoadBalancer;
import com.netflix.loadbalancer.BestAvailableRule;
import com.netflix.loadbalancer.LoadBalancerStats;
import com.netflix.loadbalancer.RandomRule;
import com.netflix.loadbalancer.RoundRobinRule;
import com.netflix.loadbalancer.Server;
import com.netflix.loadbalancer.WeightedResponseTimeRule;
import io.fairlead.benchmarks.Fleet;
import io.fairlead.benchmarks.Subject;
import java.util.ArrayList;
import java.util.List;

/** Ribbon's rules. They know no weights, but for those that one derives from response times. */
public final class RibbonSubjects {
    private RibbonSubjects() {}

    /** {@link RoundRobinRule}. */
    public static Subject roundRobin(Fleet fleet) {
        return ruled(new RoundRobinRule(), fleet);
    }

    /** {@link RandomRule}. */
    public static Subject random(Fleet fleet) {
        return ruled(new RandomRule(), fleet);
    }

    /** {@link WeightedResponseTimeRule}: by chance, the quicker the likelier, its weights computed once. */
    public static Subject weightedResponseTime(Fleet fleet) {
        WeightedResponseTimeRule rule = new WeightedResponseTimeRule();
        BaseLoadBalancer balancer = balancer(fleet);
        // Computes the weights in a timer, whose first run is at once.
        balancer.setRule(rule);
        return choosing(rule, balancer);
    }

    /** {@link BestAvailableRule}: the fewest requests under way. */
    public static Subject best(Fleet fleet) {
        return ruled(new BestAvailableRule(), fleet);
    }

    private static Subject ruled(AbstractLoadBalancerRule rule, Fleet fleet) {
        BaseLoadBalancer balancer = balancer(fleet);
        balancer.setRule(rule);
        return choosing(rule, balancer);
    }

    private static Subject choosing(AbstractLoadBalancerRule rule, BaseLoadBalancer balancer) {
        balancer.setRule(rule);
        return key -> rule.choose(key);
    }

    private static BaseLoadBalancer balancer(Fleet fleet) {
        BaseLoadBalancer balancer = new BaseLoadBalancer();
        List<Server> servers = new ArrayList<>();
        for (int i = 0; i < fleet.size(); i++) {
            servers.add(new Server(fleet.host(i), fleet.port()));
        }
        balancer.setServersList(servers);
        LoadBalancerStats stats = balancer.getLoadBalancerStats();
        for (int i = 0; i < fleet.size(); i++) {
            Server server = servers.get(i);
            server.setAlive(true);
            server.setReadyToServe(true);
            stats.noteResponseTime(server, fleet.latencyMillis(i));
            for (int busy = 0; busy < fleet.inFlight(i); busy++) {
                stats.incrementActiveRequestsCount(server);
            }
        }
        return balancer;
    }
}
