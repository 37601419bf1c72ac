package io.fairlead.servlet;

import io.fairlead.LoadBalancers;
import io.fairlead.config.ConfigFile;
import io.fairlead.observe.EndpointSnapshot;
import io.fairlead.servlet.containers.Container;
import io.fairlead.servlet.middleware.Middleware;
import jakarta.servlet.Filter;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;

/** What tests in a container share. Each of them runs in every container that the filter is for. */
@Tag("container")
abstract class ContainerTest {
    private final List<AutoCloseable> toClose = new ArrayList<>();
    private LoadBalancers balancers;
    private Container container;
    private AutoCloseable stop;

    final void proxy(String yaml, Map<String, String> initParameters, String contextPath) throws Exception {
        balancers = closing(LoadBalancers.from(ConfigFile.parse("lb.yaml", yaml)));
        container = Container.start(new ProxyFilter(balancers), initParameters, contextPath);
        stop = container::stop;
        toClose.add(0, stop);
    }

    /** Starts the container with a proxy by this configuration, and hooks in code. */
    final void proxy(String yaml, Middleware... hooks) throws Exception {
        proxy(filter -> filter, yaml, hooks);
    }

    /** As {@link #proxy(String, Middleware...)}, with another filter around that of the proxy. */
    final void proxy(UnaryOperator<Filter> around, String yaml, Middleware... hooks) throws Exception {
        balancers = closing(LoadBalancers.from(ConfigFile.parse("lb.yaml", yaml)));
        ProxyFilter filter = new ProxyFilter(balancers);
        for (Middleware hook : hooks) {
            filter.use(hook);
        }
        container = Container.start(around.apply(filter), Map.of(), "");
        stop = container::stop;
        toClose.add(0, stop);
    }

    /** Ends the container, and the filter with it; the load balancers stay. */
    final void stopProxy() throws Exception {
        toClose.remove(stop);
        container.stop();
    }

    /** Starts the container with a proxy for one service of these servers. */
    final void proxyTo(String... urls) throws Exception {
        proxy(service("orders", "", urls));
    }

    /** The configuration of one service. */
    static String service(String name, String more, String... urls) {
        StringBuilder servers = new StringBuilder();
        for (String url : urls) {
            servers.append(servers.length() == 0 ? "" : ", ")
                    .append("{url: \"")
                    .append(url)
                    .append("\"}");
        }
        return """
                http:
                  services:
                    %s:
                      loadBalancer:
                        servers: [%s]
                %s
                """.formatted(name, servers, more.indent(8));
    }

    /** The configuration of one router and service with these middlewares, in this order: {@code name: {kind: ...}}. */
    static String through(String url, String... middlewares) {
        StringBuilder names = new StringBuilder();
        StringBuilder defined = new StringBuilder();
        for (String middleware : middlewares) {
            names.append(names.length() == 0 ? "" : ", ").append(middleware, 0, middleware.indexOf(':'));
            defined.append("    ").append(middleware).append('\n');
        }
        return """
                http:
                  routers:
                    all: {rule: "PathPrefix(`/`)", service: orders, middlewares: [%s]}
                  middlewares:
                %s  services:
                    orders: {loadBalancer: {servers: [{url: "%s"}]}}
                """.formatted(names, defined, url);
    }

    final RawBackend backend(String answer) throws IOException {
        return closing(RawBackend.answering(answer));
    }

    final RawBackend backend(RawBackend.Script script) throws IOException {
        return closing(RawBackend.running(script));
    }

    final RawClient client() throws IOException {
        return closing(new RawClient(container.port()));
    }

    final int port() {
        return container.port();
    }

    final LoadBalancers balancers() {
        return balancers;
    }

    final <T extends AutoCloseable> T closing(T closeable) {
        toClose.add(0, closeable);
        return closeable;
    }

    /** An answer of this status and body with a length. */
    static String answer(int status, String body, String... fields) {
        return head(status, fields) + "Content-Length: " + body.length() + "\r\n\r\n" + body;
    }

    /** The beginning of a head, to which fields and the empty line are to be added. */
    static String head(int status, String... fields) {
        StringBuilder head = new StringBuilder("HTTP/1.1 " + status + " Some Reason\r\n");
        for (String field : fields) {
            head.append(field).append("\r\n");
        }
        return head.toString();
    }

    /** Waits until no server has a request in flight. */
    final void awaitNothingInFlight() {
        Awaitility.await()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .atMost(Duration.ofSeconds(10))
                .until(() -> inFlight() == 0);
    }

    final int inFlight() {
        return balancers.all().stream()
                .flatMap(balancer -> balancer.snapshot().endpoints().stream())
                .mapToInt(EndpointSnapshot::inFlight)
                .sum();
    }

    @AfterEach
    final void closeAll() throws Exception {
        for (AutoCloseable closeable : toClose) {
            closeable.close();
        }
        toClose.clear();
    }
}
