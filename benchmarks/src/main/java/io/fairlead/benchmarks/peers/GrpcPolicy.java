package io.fairlead.benchmarks.peers;

import com.google.protobuf.CodedOutputStream;
import io.fairlead.benchmarks.Fleet;
import io.grpc.Attributes;
import io.grpc.CallOptions;
import io.grpc.ChannelLogger;
import io.grpc.ClientStreamTracer;
import io.grpc.ConnectivityState;
import io.grpc.ConnectivityStateInfo;
import io.grpc.EquivalentAddressGroup;
import io.grpc.LoadBalancer;
import io.grpc.LoadBalancer.CreateSubchannelArgs;
import io.grpc.LoadBalancer.PickResult;
import io.grpc.LoadBalancer.ResolvedAddresses;
import io.grpc.LoadBalancer.Subchannel;
import io.grpc.LoadBalancer.SubchannelPicker;
import io.grpc.LoadBalancer.SubchannelStateListener;
import io.grpc.LoadBalancerProvider;
import io.grpc.LoadBalancerRegistry;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.NameResolver.ConfigOrError;
import io.grpc.Status;
import io.grpc.SynchronizationContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A gRPC policy with a channel around it that connects to nothing: each subchannel is ready as soon as it is asked to. */
final class GrpcPolicy {
    private static final Metadata.Key<byte[]> LOAD_REPORT =
            Metadata.Key.of("endpoint-load-metrics-bin", Metadata.BINARY_BYTE_MARSHALLER);

    private final Fleet fleet;
    private final Map<String, Integer> indices = new HashMap<>();
    private final Channel channel = new Channel();

    GrpcPolicy(String name, Map<String, ?> config, Fleet fleet) {
        this.fleet = fleet;
        LoadBalancerProvider provider = Objects.requireNonNull(
                LoadBalancerRegistry.getDefaultRegistry().getProvider(name), "no policy " + name);
        ConfigOrError parsed = provider.parseLoadBalancingPolicyConfig(config);
        if (parsed.getError() != null) {
            throw new IllegalStateException(name + ": " + parsed.getError());
        }
        List<EquivalentAddressGroup> groups = new ArrayList<>();
        for (int i = 0; i < fleet.size(); i++) {
            InetSocketAddress address = InetSocketAddress.createUnresolved(fleet.host(i), fleet.port());
            indices.put(address.toString(), i);
            groups.add(new EquivalentAddressGroup(address));
        }
        channel.synchronization.execute(() -> {
            LoadBalancer policy = provider.newLoadBalancer(channel);
            Status accepted = policy.acceptResolvedAddresses(ResolvedAddresses.newBuilder()
                    .setAddresses(groups)
                    .setLoadBalancingPolicyConfig(parsed.getConfig())
                    .build());
            if (!accepted.isOk()) {
                throw new IllegalStateException(name + ": " + accepted);
            }
        });
    }

    /** The newest picker. */
    SubchannelPicker picker() {
        return Objects.requireNonNull(channel.picker);
    }

    /** Begins requests, about as many a server as the fleet says, and ends none. */
    void startRequests() {
        int sum = 0;
        for (int i = 0; i < fleet.size(); i++) {
            sum += fleet.inFlight(i);
        }
        for (int i = 0; i < sum; i++) {
            Objects.requireNonNull(tracer(pick())).streamCreated(Attributes.EMPTY, new Metadata());
        }
    }

    /** Has every server report a load from which the policy makes the fleet's weights. */
    void reportWeights() {
        for (int i = 0; i < fleet.size(); i++) {
            PickResult result = pick();
            Subchannel picked = Objects.requireNonNull(result.getSubchannel());
            Integer index = Objects.requireNonNull(indices.get(
                    picked.getAllAddresses().get(0).getAddresses().get(0).toString()));
            Metadata trailers = new Metadata();
            trailers.put(LOAD_REPORT, loadReport(fleet.weight(index)));
            Objects.requireNonNull(tracer(result)).inboundTrailers(trailers);
        }
        channel.runTimers();
    }

    private PickResult pick() {
        return picker().pickSubchannel(new GrpcCall(CallOptions.DEFAULT));
    }

    private static @Nullable ClientStreamTracer tracer(PickResult result) {
        ClientStreamTracer.Factory factory = result.getStreamTracerFactory();
        return factory == null
                ? null
                : factory.newClientStreamTracer(
                        ClientStreamTracer.StreamInfo.newBuilder().build(), new Metadata());
    }

    /** An ORCA load report: a utilisation of one tenth, and as many requests a second as make the weight. */
    private static byte[] loadReport(int weight) {
        byte[] bytes = new byte[18];
        try {
            CodedOutputStream out = CodedOutputStream.newInstance(bytes);
            out.writeDouble(1, 0.1);
            out.writeDouble(6, 100.0 * weight);
            out.checkNoSpaceLeft();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes;
    }

    /** The channel as the policy sees it. */
    private static final class Channel extends LoadBalancer.Helper {
        private final SynchronizationContext synchronization = new SynchronizationContext((thread, e) -> {
            throw new IllegalStateException(e);
        });
        private final HeldTimers timers = new HeldTimers();
        private @Nullable SubchannelPicker picker;

        void runTimers() {
            List<Runnable> due = List.copyOf(timers.held);
            timers.held.clear();
            due.forEach(Runnable::run);
        }

        @Override
        public Subchannel createSubchannel(CreateSubchannelArgs args) {
            return new Ready(args, synchronization);
        }

        @Override
        public void updateBalancingState(ConnectivityState state, SubchannelPicker newPicker) {
            picker = newPicker;
        }

        @Override
        public SynchronizationContext getSynchronizationContext() {
            return synchronization;
        }

        @Override
        public ScheduledExecutorService getScheduledExecutorService() {
            return timers;
        }

        @Override
        public String getAuthority() {
            return "bench";
        }

        @Override
        public String getChannelTarget() {
            return "bench";
        }

        @Override
        public ManagedChannel createOobChannel(EquivalentAddressGroup addresses, String authority) {
            throw new UnsupportedOperationException("no channel is opened");
        }
    }

    /** Timers that run when they are told to, so that none runs while something is measured. */
    private static final class HeldTimers extends ScheduledThreadPoolExecutor {
        private final List<Runnable> held = new ArrayList<>();

        HeldTimers() {
            super(1, task -> {
                Thread thread = new Thread(task, "held-timers");
                thread.setDaemon(true);
                return thread;
            });
        }

        @Override
        public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
            held.add(command);
            return super.schedule(() -> {}, 1, TimeUnit.DAYS);
        }
    }

    private static final class Ready extends Subchannel {
        private final CreateSubchannelArgs args;
        private final SynchronizationContext synchronization;
        private @Nullable SubchannelStateListener listener;

        Ready(CreateSubchannelArgs args, SynchronizationContext synchronization) {
            this.args = args;
            this.synchronization = synchronization;
        }

        @Override
        public void start(SubchannelStateListener stateListener) {
            listener = stateListener;
        }

        @Override
        public void requestConnection() {
            SubchannelStateListener told = Objects.requireNonNull(listener);
            var health = args.getOption(LoadBalancer.HEALTH_CONSUMER_LISTENER_ARG_KEY);
            synchronization.execute(() -> {
                told.onSubchannelState(ConnectivityStateInfo.forNonError(ConnectivityState.CONNECTING));
                told.onSubchannelState(ConnectivityStateInfo.forNonError(ConnectivityState.READY));
                if (health != null) {
                    health.onSubchannelState(ConnectivityStateInfo.forNonError(ConnectivityState.READY));
                }
            });
        }

        @Override
        public List<EquivalentAddressGroup> getAllAddresses() {
            return args.getAddresses();
        }

        @Override
        public ChannelLogger getChannelLogger() {
            return new NoLog();
        }

        @Override
        public Attributes getAttributes() {
            return args.getAttributes();
        }

        @Override
        public void shutdown() {}
    }

    private static final class NoLog extends ChannelLogger {
        @Override
        public void log(ChannelLogLevel level, String message) {}

        @Override
        public void log(ChannelLogLevel level, String messageFormat, Object... args) {}
    }
}
