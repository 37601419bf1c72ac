package io.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.LoadBalancers;
import io.fairlead.config.ConfigFile;
import io.fairlead.servlet.containers.Container;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** A container that runs its requests on virtual threads. */
@EnabledForJreRange(min = JRE.JAVA_21)
final class VirtualThreadsTest extends ContainerTest {
    private static final int CLIENTS = 20;

    @Test
    void requestsWithAndWithoutBodiesAreCarriedOnVirtualThreads() throws Exception {
        RawBackend backend = backend(peer -> {
            while (peer.readRequest()) {
                peer.write(answer(200, "got " + peer.last().body().length()));
            }
        });
        LoadBalancers balancers =
                closing(LoadBalancers.from(ConfigFile.parse("lb.yaml", service("orders", "", backend.url()))));
        Queue<Boolean> virtual = new ConcurrentLinkedQueue<>();
        ProxyFilter filter = new ProxyFilter(balancers).use(request -> virtual.add(isVirtual(Thread.currentThread())));
        Container container = Container.start(filter, Map.of(Container.VIRTUAL_THREADS, "true"), "");
        closing(container::stop);

        List<RawClient> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(closing(new RawClient(container.port())));
        }
        for (RawClient client : clients) {
            client.send("GET", "/");
        }
        for (RawClient client : clients) {
            assertThat(client.read("GET").body()).isEqualTo("got 0");
            // On a connection of its own: Jetty looks for the next request on a kept one by a thread of its pool,
            // whatever
            // kind those are that it gives requests to, and carries on with what is there.
            assertThat(closing(new RawClient(container.port()))
                            .exchange("POST", "/", "x".repeat(100_000), "Content-Length: 100000")
                            .body())
                    .isEqualTo("got 100000");
        }

        assertThat(virtual).hasSize(2 * CLIENTS).containsOnly(true);
    }

    /** Java 17, which this is compiled for, does not know of them. */
    private static boolean isVirtual(Thread thread) {
        try {
            return (boolean) Thread.class.getMethod("isVirtual").invoke(thread);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }
}
