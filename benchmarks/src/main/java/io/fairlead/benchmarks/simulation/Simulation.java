package io.fairlead.benchmarks.simulation;

import io.fairlead.Endpoint;
import io.fairlead.LoadBalancer;
import io.fairlead.LoadBalancerBuilder;
import io.fairlead.benchmarks.VirtualTime;
import io.fairlead.observe.EndpointSnapshot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;

/**
 * One run: a world, a scenario, a user's settings, a strategy. What each part draws by chance comes from a stream of its
 * own, so that every strategy meets the same requests at the same moments.
 */
final class Simulation {
    /** Zones that the servers stand in, in turn. */
    static final int ZONES = 3;

    private static final long SEED = 20_260_204;
    private static final double SECOND = 1e9;

    private final World world;
    private final Scenario scenario;
    private final VirtualTime time = new VirtualTime();
    private final Map<String, SimulatedServer> servers = new HashMap<>();
    private final LoadBalancer balancer;
    private final CallContext context;
    private final Recording recording;
    private final SplittableRandom arrivals;
    private final SplittableRandom clients;
    private double nextArrival;

    private Simulation(World world, Scenario scenario, Settings settings, String strategy) {
        this.world = world;
        this.scenario = scenario;
        SplittableRandom chance = new SplittableRandom(SEED);
        arrivals = chance.split();
        clients = chance.split();
        SplittableRandom ofStrategy = chance.split();
        SplittableRandom asking = chance.split();
        List<SimulatedServer> inOrder = new ArrayList<>();
        LoadBalancerBuilder builder = LoadBalancer.builder("simulated")
                .strategy(strategy)
                .scheduler(time)
                .random(ofStrategy::nextLong);
        for (int i = 0; i < world.servers(); i++) {
            Endpoint endpoint = Endpoint.builder(String.format(Locale.ROOT, "http://s%02d:8080", i + 1))
                    .zone("zone-" + (i % ZONES + 1))
                    .build();
            SimulatedServer server = new SimulatedServer(i, endpoint, world, time, chance.split());
            inOrder.add(server);
            servers.put(endpoint.id(), server);
            builder.endpoint(endpoint);
        }
        settings.configuration().accept(builder);
        balancer = builder.build();
        recording = new Recording(world);
        context = new CallContext(
                time,
                balancer,
                id -> Objects.requireNonNull(servers.get(id)),
                settings.limits(),
                world.networkNanos(),
                () -> asking.nextDouble() < scenario.askAgainShare(),
                recording);
        scenario.script().play(new Stage(time, inOrder));
    }

    /**
     * Runs until the last request has ended.
     *
     * @throws IllegalStateException the load balancer still counts requests in flight after that
     */
    static Recording run(World world, Scenario scenario, Settings settings, String strategy) {
        return new Simulation(world, scenario, settings, strategy).run();
    }

    private Recording run() {
        scheduleArrival();
        while (recording.isUnderWay() || nextArrival < world.seconds() * SECOND) {
            if (!time.runNext()) {
                throw new IllegalStateException("requests are under way, and nothing will end them");
            }
        }
        for (EndpointSnapshot server : balancer.snapshot().endpoints()) {
            if (server.inFlight() != 0) {
                throw new IllegalStateException(scenario.name() + ": in flight after the end: " + server);
            }
        }
        balancer.close();
        return recording;
    }

    private void scheduleArrival() {
        nextArrival += Draw.exponential(arrivals, SECOND / world.requestsPerSecond());
        if (nextArrival < world.seconds() * SECOND) {
            time.schedule(this::arrive, (long) nextArrival - time.nanoTime());
        }
    }

    private void arrive() {
        int number = clients.nextInt(world.clients());
        String method = clients.nextDouble() < world.postShare() ? "POST" : "GET";
        scheduleArrival();
        Call.begin(context, Client.number(number, method));
    }
}
