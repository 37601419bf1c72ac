package io.fairlead;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fairlead.config.ConfigException;
import io.fairlead.config.ConfigFile;
import io.fairlead.strategy.Picker;
import io.fairlead.strategy.PickerContext;
import io.fairlead.strategy.Strategy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("counts threads")
final class LoadBalancersTest {
    private static final String FILE = String.join(
            "\n",
            "http:",
            "  services:",
            "    both: {failover: {service: Orders, fallback: spare}}",
            "    Orders:",
            "      loadBalancer:",
            "        servers: [{url: \"http://10.0.0.1:8080\"}, {url: \"http://10.0.0.2:8080\"}]",
            "        serversTransport: fast",
            "        passHostHeader: false",
            "    canary: {weighted: {services: [{name: both, weight: 3}, {name: spare}]}}",
            "    shadow: {mirroring: {service: canary, mirrors: [{name: spare, percent: 100}]}}",
            "    spare: {loadBalancer: {servers: [{url: \"http://10.0.1.1:8080\", fenced: true}]}}",
            "  serversTransports:",
            "    fast: {forwardingTimeouts: {dialTimeout: 1s}}");

    @TempDir
    Path directory;

    private Path write(String yaml) throws IOException {
        Path file = directory.resolve("lb.yaml");
        Files.write(file, yaml.getBytes(StandardCharsets.UTF_8));
        return file;
    }

    @Test
    void everyServiceOfAFileIsThereInItsOrder() throws IOException {
        try (LoadBalancers balancers = LoadBalancers.load(write(FILE))) {
            assertThat(balancers.all())
                    .extracting(LoadBalancer::name)
                    .containsExactly("both", "Orders", "canary", "shadow", "spare");
            assertThat(balancers.get("orders"))
                    .isSameAs(balancers.get("ORDERS"))
                    .isNotNull();
            assertThat(balancers.get("nobody")).isNull();
            assertThat(balancers.configFile().hasService("both")).isTrue();
        }
    }

    @Test
    void whatTheFileSaysReachesThePick() throws IOException {
        try (LoadBalancers balancers = LoadBalancers.load(write(FILE))) {
            Pick pick = balancers.get("shadow").pick(RequestFacts.NONE);

            assertThat(pick.service()).isEqualTo("Orders");
            assertThat(pick.endpoint().id()).isEqualTo("10.0.0.1:8080");
            assertThat(pick.settings().passHostHeader()).isFalse();
            assertThat(pick.settings().dialTimeout()).isEqualTo(Duration.ofSeconds(1));
            pick.success();
            assertThatThrownBy(() -> balancers.get("spare").pick(RequestFacts.NONE))
                    .isInstanceOf(NoEndpointException.class);
        }
    }

    @Test
    void partsAreSharedAndNotCopied() throws IOException {
        try (LoadBalancers balancers = LoadBalancers.load(write(FILE))) {
            balancers.get("canary").fence("10.0.0.1:8080");

            assertThat(balancers
                            .get("orders")
                            .snapshot()
                            .endpoint("10.0.0.1:8080")
                            .fenced())
                    .isTrue();
        }
    }

    @Test
    void aBrokenFileIsRefusedWithItsLines() throws IOException {
        Path file = write("http:\n  services:\n    a: {loadBalancer: {server: []}}\n    b: {}\n");

        assertThatThrownBy(() -> LoadBalancers.load(file))
                .isInstanceOf(ConfigException.class)
                .hasMessage(file
                        + ":3: http.services.a.loadBalancer.server: unknown key 'server'; did you mean 'servers'?\n"
                        + file + ":4: http.services.b: needs one of loadBalancer, failover, weighted, mirroring");
        assertThatThrownBy(() -> LoadBalancers.load(directory.resolve("none")))
                .isInstanceOf(ConfigException.class)
                .hasMessage(directory.resolve("none") + ":1: there is no such file");
    }

    @Test
    void problemsThatOthersFoundInTheFileRefuseItToo() {
        ConfigFile file = ConfigFile.parse("lb.yaml", FILE);
        file.http().get("services").problem("is not to my taste");

        assertThatThrownBy(() -> LoadBalancers.from(file)).hasMessage("lb.yaml:2: http.services: is not to my taste");
    }

    @Test
    void checksOfHealthRunByOneThreadAndEndWithTheLoadBalancers() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            StringBuilder yaml = new StringBuilder("http:\n  services:\n");
            for (int i = 0; i < 5; i++) {
                yaml.append("    s").append(i).append(": {loadBalancer: {servers: [{url: \"http://127.0.0.1:");
                yaml.append(server.getLocalPort()).append("\"}], healthCheck: {interval: 10ms}}}\n");
            }
            Set<Thread> before = timers();
            LoadBalancers balancers = LoadBalancers.load(write(yaml.toString()));
            for (int i = 0; i < 10; i++) {
                try (Socket check = server.accept()) {
                    assertThat(check.isConnected()).isTrue();
                }
            }
            Set<Thread> ours = timers();
            ours.removeAll(before);
            balancers.close();
            balancers.close();

            assertThat(ours).hasSize(1);
            await().until(() -> ours.stream().noneMatch(Thread::isAlive));
        }
    }

    private static Set<Thread> timers() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("fairlead-timer"))
                .collect(Collectors.toSet());
    }

    @Test
    void aSchedulerIsClosedWithTheLoadBalancersOrWhenThereAreNone() {
        ManualScheduler used = new ManualScheduler();
        LoadBalancers balancers = LoadBalancers.from(ConfigFile.parse("lb.yaml", FILE), used);
        assertThat(isClosed(used)).isFalse();
        balancers.close();
        assertThat(isClosed(used)).isTrue();

        ManualScheduler refused = new ManualScheduler();
        assertThatThrownBy(() -> LoadBalancers.from(ConfigFile.parse("lb.yaml", "http: {}"), refused))
                .isInstanceOf(ConfigException.class);
        assertThat(isClosed(refused)).isTrue();
    }

    private static boolean isClosed(ManualScheduler scheduler) {
        scheduler.schedule(() -> {}, 1);
        return scheduler.waiting() == 0;
    }

    @Test
    void loadBalancersBuiltByHandAreFoundByTheirNames() {
        LoadBalancer orders = LoadBalancer.builder("Orders").build();
        try (LoadBalancers balancers = LoadBalancers.of(orders)) {
            assertThat(balancers.get("oRDERS")).isSameAs(orders);
            assertThat(balancers.all()).containsExactly(orders);
            assertThat(balancers.configFile()).isNull();
            assertThatThrownBy(() -> LoadBalancers.of(
                            orders, LoadBalancer.builder("orders").build()))
                    .hasMessage("two services are named 'orders'");
        }
    }

    @Test
    void whatIsToEndWithThemEndsOnceBeItToldBeforeOrAfter() {
        List<String> ended = new ArrayList<>();
        LoadBalancers balancers = LoadBalancers.of();
        balancers.onClose(() -> ended.add("before"));
        assertThat(ended).isEmpty();
        balancers.close();
        balancers.close();
        assertThat(ended).containsExactly("before");
        balancers.onClose(() -> ended.add("after"));
        assertThat(ended).containsExactly("before", "after");
    }

    @Test
    void theRestEndsThoughSomethingCannotBeEnded() {
        List<String> ended = new ArrayList<>();
        LoadBalancer balancer =
                LoadBalancer.builder("orders").endpoint("http://10.0.0.1:8080").build();
        LoadBalancers balancers = LoadBalancers.of(balancer);
        balancers.onClose(() -> {
            throw new IllegalStateException("told, and no harm");
        });
        balancers.onClose(() -> {
            throw new NoClassDefFoundError("of an application that has been stopped");
        });
        balancers.onClose(() -> ended.add("next"));

        balancers.close();

        assertThat(ended).containsExactly("next");
    }

    @Test
    void aStrategyThatFailsIsTheMistakeOfTheFile() {
        ManualScheduler time = new ManualScheduler();
        ConfigFile file = ConfigFile.parse(
                "lb.yaml",
                "http:\n  services:\n    good: {loadBalancer: {servers: [{url: \"http://g\"}]}}\n    bad: {loadBalancer: {"
                        + "strategy: " + Fragile.class.getName() + ", servers: [{url: \"http://b\"}]}}\n");
        assertThatThrownBy(() -> LoadBalancers.from(file, time))
                .isInstanceOf(ConfigException.class)
                .hasMessage("lb.yaml:4: http.services.bad: its strategy '" + Fragile.class.getName()
                        + "' fails: java.lang.IllegalStateException: fragile");
        assertThat(isClosed(time)).isTrue();
    }

    /** A strategy of the user's own, with a fault. */
    public static final class Fragile implements Strategy {
        @Override
        public String name() {
            return "fragile";
        }

        @Override
        public Picker picker(PickerContext context) {
            throw new IllegalStateException("fragile");
        }
    }
}
