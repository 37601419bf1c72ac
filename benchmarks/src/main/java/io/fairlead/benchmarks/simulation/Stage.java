package io.fairlead.benchmarks.simulation;

import io.fairlead.benchmarks.VirtualTime;
import java.util.List;
import java.util.function.Consumer;

/** What the script of a scenario acts on. */
final class Stage {
    private static final long SECOND = 1_000_000_000L;

    private final VirtualTime time;
    private final List<SimulatedServer> servers;

    Stage(VirtualTime time, List<SimulatedServer> servers) {
        this.time = time;
        this.servers = servers;
    }

    /** How many servers there are. */
    int servers() {
        return servers.size();
    }

    /** Does something to one server at this second. */
    void at(double second, int server, Consumer<SimulatedServer> what) {
        time.schedule(() -> what.accept(servers.get(server)), (long) (second * SECOND) - time.nanoTime());
    }
}
