package io.fairlead.race;

import io.fairlead.Endpoint;
import io.fairlead.LoadBalancer;
import io.fairlead.ManualScheduler;
import io.fairlead.Pick;
import io.fairlead.RequestFacts;
import io.fairlead.Tried;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Picks while the list changes: whatever the interleaving, each pick is one that some order of the calls explains. So no
 * pick that begins after a server was removed or fenced gives it. The strategy is {@code priority} over different
 * weights, whose pick is a function of the list.
 */
@Param(name = "server", gen = IntGen.class, conf = "1:3")
@Tag("race")
@Isolated("Lincheck changes classes while others load them, and both wait for each other")
public class PickAgainstUpdateTest {
    private final LoadBalancer balancer = LoadBalancer.builder("orders")
            .endpoint("http://s1", 1)
            .endpoint("http://s2", 2)
            .endpoint("http://s3", 3)
            .strategy("priority")
            .scheduler(new ManualScheduler())
            .build();

    @Operation
    public String pick() {
        Pick pick = balancer.tryPick(RequestFacts.NONE, Tried.NONE);
        if (pick == null) {
            return "none";
        }
        pick.success();
        return pick.endpoint().host();
    }

    @Operation
    public void add(@Param(name = "server") int server) {
        balancer.add(Endpoint.of("http://s" + server, server));
    }

    @Operation
    public boolean remove(@Param(name = "server") int server) {
        return balancer.remove("s" + server + ":80");
    }

    @Operation
    public boolean fence(@Param(name = "server") int server) {
        return balancer.fence("s" + server + ":80");
    }

    @Operation
    public boolean unfence(@Param(name = "server") int server) {
        return balancer.unfence("s" + server + ":80");
    }

    @Test
    void everyInterleavingIsExplainedByAnOrder() {
        Races.stress(PickAgainstUpdateTest.class);
    }
}
