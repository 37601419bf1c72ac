package io.fairlead.benchmarks.simulation;

import io.fairlead.LoadBalancer;
import io.fairlead.benchmarks.VirtualTime;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * What all calls of a run share.
 *
 * @param servers the server of an endpoint's id
 * @param networkNanos one way between client and server
 * @param asksAgain says, anew each time, whether a client whose request has failed asks again
 */
record CallContext(
        VirtualTime time,
        LoadBalancer balancer,
        Function<String, SimulatedServer> servers,
        TimeLimits limits,
        long networkNanos,
        BooleanSupplier asksAgain,
        Recording recording) {}
