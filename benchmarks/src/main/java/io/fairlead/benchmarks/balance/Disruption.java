package io.fairlead.benchmarks.balance;

import io.fairlead.LoadBalancer;
import io.fairlead.benchmarks.VirtualTime;
import java.util.ArrayList;
import java.util.List;

/**
 * What a hash strategy does to 100,000 keys when one server of ten goes, or one comes to ten: on average over which one
 * it is, in percent of all keys.
 *
 * @param owed keys that had to move, since their server went, or that the new server got
 * @param needless keys that moved from one server that was there before and after to another
 */
record Disruption(double owed, double needless) {
    private static final int KEYS = 100_000;

    static Disruption ofRemoval(String strategy, int servers) {
        List<Server> all = Server.equal(servers);
        String[] before = owners(strategy, all);
        double owed = 0;
        double needless = 0;
        for (Server gone : all) {
            String[] after = owners(strategy, without(all, gone));
            String id = gone.endpoint().id();
            for (int i = 0; i < KEYS; i++) {
                if (before[i].equals(id)) {
                    owed++;
                } else if (!before[i].equals(after[i])) {
                    needless++;
                }
            }
        }
        return percent(owed, needless, servers);
    }

    static Disruption ofAddition(String strategy, int servers) {
        List<Server> all = Server.equal(servers + 1);
        String[] after = owners(strategy, all);
        double owed = 0;
        double needless = 0;
        for (Server added : all) {
            String[] before = owners(strategy, without(all, added));
            String id = added.endpoint().id();
            for (int i = 0; i < KEYS; i++) {
                if (after[i].equals(id)) {
                    owed++;
                } else if (!before[i].equals(after[i])) {
                    needless++;
                }
            }
        }
        return percent(owed, needless, servers + 1);
    }

    private static Disruption percent(double owed, double needless, int runs) {
        double factor = 100.0 / ((double) KEYS * runs);
        return new Disruption(owed * factor, needless * factor);
    }

    private static List<Server> without(List<Server> servers, Server one) {
        List<Server> rest = new ArrayList<>(servers);
        rest.remove(one);
        return rest;
    }

    private static String[] owners(String strategy, List<Server> servers) {
        LoadBalancer balancer = LoadBalancer.builder(strategy)
                .endpoints(servers.stream().map(Server::endpoint).toList())
                .strategy(strategy)
                .scheduler(new VirtualTime())
                .build();
        String[] owners = new String[KEYS];
        for (int i = 0; i < KEYS; i++) {
            var pick = balancer.pick(Client.number(i));
            owners[i] = pick.endpoint().id();
            pick.cancel();
        }
        balancer.close();
        return owners;
    }
}
