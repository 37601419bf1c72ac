package io.fairlead.benchmarks.proxy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/** Load by one thread of this JVM. */
final class JvmLoad implements Load {
    @Override
    public String name() {
        return "a load generator of the JVM";
    }

    @Override
    public Result run(int port, Case what, int millis) throws IOException {
        Latencies latencies = new Latencies();
        List<JvmLoadConnection> connections = new ArrayList<>();
        long begin = System.nanoTime();
        long end = begin + millis * 1_000_000L;
        long bytes = 0;
        try (Selector selector = Selector.open()) {
            for (int i = 0; i < CONNECTIONS; i++) {
                SocketChannel channel =
                        SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                channel.configureBlocking(false);
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
                SelectionKey key = channel.register(selector, 0);
                JvmLoadConnection connection = new JvmLoadConnection(channel, key, port, what, latencies);
                key.attach(connection);
                connections.add(connection);
                connection.begin();
            }
            while (System.nanoTime() < end) {
                selector.select(100);
                for (SelectionKey key : selector.selectedKeys()) {
                    ((JvmLoadConnection) key.attachment()).ready();
                }
                selector.selectedKeys().clear();
            }
        } finally {
            for (JvmLoadConnection connection : connections) {
                bytes += connection.bytes();
                connection.close();
            }
        }
        double seconds = (System.nanoTime() - begin) / 1e9;
        return new Result(latencies.count(), bytes, seconds, latencies.percentile(50), latencies.percentile(99));
    }
}
