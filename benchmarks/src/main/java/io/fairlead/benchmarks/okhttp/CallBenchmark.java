package io.fairlead.benchmarks.okhttp;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** One call after the other to four servers in this process, over connections that are kept alive. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class CallBenchmark {
    static final int SERVERS = 4;

    /** A name of {@link Clients}. */
    @Param({Clients.PLAIN, Clients.OURS})
    public String subject = "";

    private List<BareServer> servers = List.of();
    private Client client = new Nobody();

    /** Starts servers and client. */
    @Setup
    public void start() {
        servers = IntStream.range(0, SERVERS).mapToObj(i -> new BareServer()).toList();
        List<String> urls = servers.stream().map(BareServer::url).toList();
        client = Objects.requireNonNull(Clients.BY_NAME.get(subject), subject).apply(urls);
    }

    /** Ends them. */
    @TearDown
    public void stop() throws Exception {
        client.close();
        servers.forEach(BareServer::close);
    }

    /** One call. */
    @Benchmark
    public int call(Connections counted) throws Exception {
        return client.call();
    }

    List<BareServer> servers() {
        return servers;
    }

    /** How many connections there are when an iteration ends. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Connections {
        /** Connections opened since the start. */
        public long connections;

        /** Counts them. */
        @TearDown(Level.Iteration)
        public void count(CallBenchmark benchmark) {
            connections = benchmark.servers.stream()
                    .mapToLong(BareServer::connections)
                    .sum();
        }
    }

    private static final class Nobody implements Client {
        @Override
        public int call() {
            throw new IllegalStateException("not started");
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }
}
