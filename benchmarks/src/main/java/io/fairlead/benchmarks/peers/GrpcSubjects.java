package io.fairlead.benchmarks.peers;

import io.fairlead.benchmarks.Fleet;
import io.fairlead.benchmarks.Key;
import io.fairlead.benchmarks.Keys;
import io.fairlead.benchmarks.Subject;
import io.fairlead.strategy.StrategyOptions;
import io.grpc.CallOptions;
import io.grpc.LoadBalancer.PickResult;
import io.grpc.LoadBalancer.PickSubchannelArgs;
import io.grpc.LoadBalancer.SubchannelPicker;
import io.grpc.xds.RingHashOptions;
import java.lang.reflect.Field;
import java.util.Map;

/** gRPC's policies, over connections that are always ready. */
public final class GrpcSubjects {
    /** Points a server on the ring: as many as {@code ring-hash} has by default. */
    private static final int POINTS = StrategyOptions.DEFAULT.pointsPerServer();

    private GrpcSubjects() {}

    /** {@code round_robin}. */
    public static Subject roundRobin(Fleet fleet) {
        return keyless(new GrpcPolicy("round_robin", Map.of(), fleet));
    }

    /** {@code least_request}: the less busy of two, drawn with replacement. */
    public static Subject leastRequest(Fleet fleet) {
        GrpcPolicy policy = new GrpcPolicy("least_request_experimental", Map.of("choiceCount", 2.0), fleet);
        policy.startRequests();
        return keyless(policy);
    }

    /** {@code weighted_round_robin}, its weights as reported by the servers. */
    public static Subject weighted(Fleet fleet) {
        GrpcPolicy policy = new GrpcPolicy("weighted_round_robin", Map.of("blackoutPeriod", "0s"), fleet);
        policy.reportWeights();
        return keyless(policy);
    }

    /** {@code ring_hash}, the request's hash in the call options, where the resolver leaves it. */
    public static Subject ringHash(Fleet fleet) {
        RingHashOptions.setRingSizeCap(8L << 20);
        double points = Math.min(8 << 20, (double) POINTS * fleet.size());
        GrpcPolicy policy =
                new GrpcPolicy("ring_hash_experimental", Map.of("minRingSize", points, "maxRingSize", points), fleet);
        CallOptions.Key<Long> hashKey = requestHashKey();
        PickSubchannelArgs[] args = new PickSubchannelArgs[Keys.COUNT];
        for (Key key : Keys.all()) {
            args[key.index()] = new GrpcCall(CallOptions.DEFAULT.withOption(hashKey, key.hash()));
        }
        // A child connects when it is first picked, and a new picker comes with each that has.
        for (PickSubchannelArgs each : args) {
            for (int i = 0; !policy.picker().pickSubchannel(each).hasResult(); i++) {
                if (i == 10) {
                    throw new IllegalStateException("the child for a key does not get ready");
                }
            }
        }
        SubchannelPicker picker = policy.picker();
        return key -> ready(picker.pickSubchannel(args[key.index()]));
    }

    private static Subject keyless(GrpcPolicy policy) {
        SubchannelPicker picker = policy.picker();
        PickSubchannelArgs args = new GrpcCall(CallOptions.DEFAULT);
        return key -> ready(picker.pickSubchannel(args));
    }

    private static Object ready(PickResult result) {
        var subchannel = result.getSubchannel();
        if (subchannel == null) {
            throw new IllegalStateException("nothing picked: " + result);
        }
        return subchannel;
    }

    /** The key is not public; it is read once, before anything is measured. */
    @SuppressWarnings("unchecked")
    private static CallOptions.Key<Long> requestHashKey() {
        try {
            Field field = Class.forName("io.grpc.xds.XdsNameResolver").getDeclaredField("RPC_HASH_KEY");
            field.setAccessible(true);
            return (CallOptions.Key<Long>) field.get(null);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this version of gRPC keeps the request's hash elsewhere", e);
        }
    }
}
