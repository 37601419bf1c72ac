package io.fairlead.benchmarks.balance;

import io.fairlead.Endpoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A server of a simulation.
 *
 * @param name its host; the order of names is the order of servers
 * @param weight its weight
 * @param meanNanos what a request takes on average once it is its turn
 */
record Server(String name, int weight, double meanNanos) {
    private static final double MEAN_NANOS = 10e6;

    Endpoint endpoint() {
        return Endpoint.of("http://" + name + ":8080", weight);
    }

    /** Servers of weight 1, each as quick as the next. */
    static List<Server> equal(int count) {
        List<Server> servers = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            servers.add(new Server(name(i), 1, MEAN_NANOS));
        }
        return servers;
    }

    /** Servers of weights 1 to 5 in turn, each as quick as its weight says. */
    static List<Server> mixed(int count) {
        List<Server> servers = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            int weight = 1 + (i - 1) % 5;
            servers.add(new Server(name(i), weight, 3 * MEAN_NANOS / weight));
        }
        return servers;
    }

    /** Equal ones, but the last takes five times as long as the others. */
    static List<Server> lastSlow(int count) {
        List<Server> servers = equal(count);
        servers.set(count - 1, new Server(name(count), 1, 5 * MEAN_NANOS));
        return servers;
    }

    private static String name(int number) {
        return String.format(Locale.ROOT, "s%02d", number);
    }
}
