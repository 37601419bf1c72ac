package io.fairlead.benchmarks.peers;

import io.fairlead.benchmarks.Fleet;
import io.fairlead.benchmarks.Key;
import io.fairlead.benchmarks.Keys;
import io.fairlead.benchmarks.Subject;
import java.util.ArrayList;
import java.util.List;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Result;
import org.apache.dubbo.rpc.RpcInvocation;
import org.apache.dubbo.rpc.RpcStatus;
import org.apache.dubbo.rpc.cluster.LoadBalance;
import org.apache.dubbo.rpc.model.ApplicationModel;

/** Dubbo's load balances. */
public final class DubboSubjects {
    private static final String METHOD = "call";

    private DubboSubjects() {}

    /** {@code random}: by weight. */
    public static Subject random(Fleet fleet) {
        return balancing("random", fleet);
    }

    /** {@code roundrobin}: smooth, by weight. */
    public static Subject roundRobin(Fleet fleet) {
        return balancing("roundrobin", fleet);
    }

    /** {@code leastactive}: the fewest requests under way, by weight among equals. */
    public static Subject leastActive(Fleet fleet) {
        return balancing("leastactive", fleet);
    }

    /** {@code shortestresponse}: the least product of response time and requests under way. */
    public static Subject shortestResponse(Fleet fleet) {
        return balancing("shortestresponse", fleet);
    }

    /** {@code consistenthash}: the first argument by MD5, 160 points a server. */
    public static Subject consistentHash(Fleet fleet) {
        return balancing("consistenthash", fleet);
    }

    private static Subject balancing(String name, Fleet fleet) {
        LoadBalance balance = ApplicationModel.defaultModel()
                .getExtensionLoader(LoadBalance.class)
                .getExtension(name);
        List<Invoker<Service>> invokers = new ArrayList<>();
        for (int i = 0; i < fleet.size(); i++) {
            Server server = new Server(fleet, i);
            invokers.add(server);
            RpcStatus.beginCount(server.getUrl(), METHOD);
            RpcStatus.endCount(server.getUrl(), METHOD, fleet.latencyMillis(i), true);
            for (int busy = 0; busy < fleet.inFlight(i); busy++) {
                RpcStatus.beginCount(server.getUrl(), METHOD);
            }
        }
        URL called = invokers.get(0).getUrl();
        Invocation[] invocations = new Invocation[Keys.COUNT];
        for (Key key : Keys.all()) {
            invocations[key.index()] = invocation(key);
        }
        return key -> balance.select(invokers, called, invocations[key.index()]);
    }

    private static Invocation invocation(Key key) {
        Class<?>[] types = {String.class};
        Object[] arguments = {key.text()};
        return new RpcInvocation(null, METHOD, Service.class.getName(), "", types, arguments);
    }

    /** What the servers would offer. */
    interface Service {
        String call(String argument);
    }

    private static final class Server implements Invoker<Service> {
        private final URL url;

        Server(Fleet fleet, int index) {
            url = URL.valueOf("dubbo://" + fleet.host(index) + ":" + fleet.port() + "/" + Service.class.getName()
                    + "?weight=" + fleet.weight(index) + "&warmup=0");
        }

        @Override
        public Class<Service> getInterface() {
            return Service.class;
        }

        @Override
        public Result invoke(Invocation invocation) {
            throw new UnsupportedOperationException("no call is made");
        }

        @Override
        public URL getUrl() {
            return url;
        }

        @Override
        public boolean isAvailable() {
            return true;
        }

        @Override
        public void destroy() {}
    }
}
