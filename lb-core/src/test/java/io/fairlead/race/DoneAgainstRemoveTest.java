package io.fairlead.race;

import io.fairlead.Endpoint;
import io.fairlead.LoadBalancer;
import io.fairlead.ManualScheduler;
import io.fairlead.Pick;
import io.fairlead.RequestFacts;
import io.fairlead.observe.EndpointSnapshot;
import java.net.ConnectException;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Ends of picks, several for one pick too, while their server is removed and comes back. */
@Param(name = "pick", gen = IntGen.class, conf = "0:1")
@Tag("race")
@Isolated("Lincheck changes classes while others load them, and both wait for each other")
public class DoneAgainstRemoveTest {
    private static final Endpoint SERVER = Endpoint.of("http://s", 1);

    private final LoadBalancer balancer = LoadBalancer.builder("orders")
            .endpoint(SERVER)
            .strategy("random")
            .scheduler(new ManualScheduler())
            .build();
    private final AtomicReferenceArray<Pick> picks = new AtomicReferenceArray<>(2);

    /** Two requests are under way when the race begins. */
    public DoneAgainstRemoveTest() {
        picks.set(0, balancer.pick(RequestFacts.NONE));
        picks.set(1, balancer.pick(RequestFacts.NONE));
    }

    @Operation
    public void succeed(@Param(name = "pick") int pick) {
        picks.get(pick).success();
    }

    @Operation
    public void fail(@Param(name = "pick") int pick) {
        picks.get(pick).failure(new ConnectException("refused"));
    }

    @Operation
    public void cancel(@Param(name = "pick") int pick) {
        picks.get(pick).cancel();
    }

    @Operation
    public boolean remove() {
        return balancer.remove("s:80");
    }

    @Operation
    public void add() {
        balancer.add(SERVER);
    }

    @Operation
    public int inFlight() {
        EndpointSnapshot server = balancer.snapshot().endpoint("s:80");
        return server == null ? -1 : server.inFlight();
    }

    @Test
    void everyInterleavingIsExplainedByAnOrder() {
        Races.stress(DoneAgainstRemoveTest.class);
    }
}
