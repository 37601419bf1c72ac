package io.fairlead;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.config.ConfigFile;
import io.fairlead.config.ConfigProblem;
import io.fairlead.observe.EndpointSnapshot;
import io.fairlead.observe.StateListener;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ReloadTest {
    private static final String ORDERS = "    orders: {loadBalancer: {servers: [{url: \"http://a\"}]}}";
    private static final String STOCK = "    stock: {loadBalancer: {servers: [{url: \"http://s\"}]}}";

    @TempDir
    private Path directory;

    private final ManualScheduler time = new ManualScheduler();
    private final List<String> reported = new ArrayList<>();
    private LoadBalancers balancers;

    @BeforeEach
    void load() throws IOException {
        write(ORDERS, STOCK);
        balancers = LoadBalancers.from(ConfigFile.read(file()), time);
        balancers.reportProblemsTo(
                problems -> problems.stream().map(ConfigProblem::toString).forEach(reported::add));
    }

    @AfterEach
    void close() {
        balancers.close();
        assertThat(time.waiting()).isZero();
    }

    @Test
    void takesAChangeOverWithinTwoSeconds() throws IOException {
        write("    fresh: {loadBalancer: {servers: [{url: \"http://f\"}]}}");
        time.advanceMillis(1_900);
        assertThat(balancers.all()).extracting(LoadBalancer::name).containsExactly("fresh");
        assertThat(balancers.get("orders")).isNull();
        assertThat(balancers.configFile().hasService("fresh")).isTrue();
        assertThat(reported).isEmpty();
    }

    @Test
    void whoAsksToBeToldIsToldAfterAChangeAndNotOfAWrongContent() throws IOException {
        List<Integer> counts = new ArrayList<>();
        balancers.onReload(() -> counts.add(balancers.all().size()));
        write(ORDERS, "    stock: {loadBalancer: {servers: 3}}");
        time.advanceMillis(1_900);
        assertThat(counts).isEmpty();
        write(ORDERS);
        time.advanceMillis(1_900);
        assertThat(counts).containsExactly(1);
    }

    @Test
    void aServiceWhoseStrategyFailsIsReportedWithItsLineAndChangesNothing() throws IOException {
        LoadBalancer orders = balancers.get("orders");
        write(
                ORDERS,
                "    stock: {failover: {service: orders, fallback: bad}}",
                "    bad: {loadBalancer: {strategy: " + LoadBalancersTest.Fragile.class.getName()
                        + ", servers: [{url: \"http://b\"}]}}");
        time.advanceMillis(1_900);
        assertThat(reported)
                .containsExactly(file() + ":5: http.services.bad: its strategy '"
                        + LoadBalancersTest.Fragile.class.getName()
                        + "' fails: java.lang.IllegalStateException: fragile");
        assertThat(balancers.get("orders")).isSameAs(orders);
        assertThat(balancers.get("bad")).isNull();
        orders.pick(RequestFacts.NONE).success();
    }

    @Test
    void aServiceThatDidNotChangeKeepsItsLoadBalancer() throws IOException {
        LoadBalancer orders = balancers.get("orders");
        LoadBalancer stock = balancers.get("stock");
        write(STOCK, "    fresh: {loadBalancer: {servers: [{url: \"http://f\"}]}}", ORDERS);
        time.advanceMillis(1_900);
        assertThat(balancers.get("orders")).isSameAs(orders);
        assertThat(balancers.get("stock")).isSameAs(stock);
    }

    @Test
    void newRulesOfRetryingHoldFromTheNextRequestOn() throws IOException {
        LoadBalancer orders = balancers.get("orders");
        assertThat(orders.maxTries()).isEqualTo(3);
        assertThat(retries(orders)).isEqualTo(10);
        assertThat(orders.pick(RequestFacts.NONE).hedging().policy()).isNull();
        write(
                "    orders: {loadBalancer: {servers: [{url: \"http://a\"}], hedge: {maxExtra: 2},"
                        + " retry: {attempts: 5, budget: {minPerSecond: 3}}}}",
                STOCK);
        time.advanceMillis(1_900);
        assertThat(balancers.get("orders")).isSameAs(orders);
        assertThat(orders.maxTries()).isEqualTo(5);
        assertThat(retries(orders)).isBetween(3, 6);
        Pick pick = orders.pick(RequestFacts.NONE);
        assertThat(pick.settings().retry().attempts()).isEqualTo(5);
        assertThat(pick.hedging().policy().maxExtra()).isEqualTo(2);
    }

    private static int retries(LoadBalancer balancer) {
        int count = 0;
        while (balancer.retryBudget().tryRetry()) {
            count++;
        }
        return count;
    }

    @Test
    void clientsStayKeptWhateverChangesAround() throws IOException {
        String sticky = "sticky: {cookie: {name: lb}}";
        String servers = "servers: [{url: \"http://a\"}, {url: \"http://b\"}]";
        write(
                "    orders: {loadBalancer: {" + servers + ", " + sticky + "}}",
                STOCK,
                "    canary: {weighted: {services: [{name: orders}, {name: stock}], " + sticky + "}}");
        time.advanceMillis(1_900);
        String order =
                balancers.get("orders").pick(RequestFacts.NONE).setCookies().get(0);
        String release =
                balancers.get("canary").pick(RequestFacts.NONE).setCookies().get(0);
        write(
                "    orders: {loadBalancer: {strategy: random, " + servers + ", " + sticky + "}}",
                STOCK,
                "    canary: {weighted: {services: [{name: stock}, {name: orders, weight: 5}], " + sticky + "}}");
        time.advanceMillis(1_900);

        assertThat(balancers.get("orders").pick(having(order)).isKept()).isTrue();
        assertThat(balancers.get("canary").pick(having(release)).isKept()).isTrue();
    }

    private static RequestFacts having(String setCookie) {
        return new RequestFacts() {
            @Override
            public String affinity(String name) {
                return setCookie.substring(setCookie.indexOf('=') + 1, setCookie.indexOf(';'));
            }
        };
    }

    @Test
    void aNewListKeepsWhatWasLearntOfTheServersThatStay() throws IOException {
        LoadBalancer orders = balancers.get("orders");
        Pick running = orders.pick(RequestFacts.NONE);
        write("    orders: {loadBalancer: {servers: [{url: \"http://b\"}, {url: \"http://a\", weight: 3}]}}", STOCK);
        time.advanceMillis(1_900);
        assertThat(balancers.get("orders")).isSameAs(orders);
        assertThat(orders.snapshot().endpoints())
                .extracting(EndpointSnapshot::id)
                .containsExactly("b:80", "a:80");
        assertThat(orders.snapshot().endpoint("a:80").inFlight()).isEqualTo(1);
        assertThat(orders.snapshot().endpoint("a:80").endpoint().weight()).isEqualTo(3);
        running.success();
        assertThat(orders.snapshot().endpoint("a:80").inFlight()).isZero();
    }

    @Test
    void aServiceOfServicesFollowsItsParts() throws IOException {
        String both = "    both: {failover: {service: orders, fallback: stock}}";
        write(ORDERS, STOCK, both);
        time.advanceMillis(1_900);
        LoadBalancer before = balancers.get("both");
        write(ORDERS.replace("servers", "strategy: random, servers"), STOCK, both);
        time.advanceMillis(1_900);
        assertThat(balancers.get("both")).as("its parts are the same").isSameAs(before);
        assertThat(balancers.get("orders").snapshot().strategy()).isEqualTo("random");
        write(ORDERS.replace("http://a", "http://c").replace("servers", "strategy: random, servers"), STOCK, both);
        time.advanceMillis(1_900);
        assertThat(balancers.get("both").pick(RequestFacts.NONE).endpoint().id())
                .isEqualTo("c:80");
    }

    @Test
    void aChangeOfSettingsKeepsWhatWasLearntAndARunTimeFence() throws IOException {
        LoadBalancer orders = balancers.get("orders");
        Pick running = orders.pick(RequestFacts.NONE);
        orders.fence("a:80");
        write(ORDERS.replace("servers", "strategy: maglev, passHostHeader: false, servers"), STOCK);
        time.advanceMillis(1_900);
        assertThat(balancers.get("orders")).isSameAs(orders);
        assertThat(orders.snapshot().strategy()).isEqualTo("maglev");
        assertThat(orders.snapshot().endpoint("a:80").inFlight()).isEqualTo(1);
        assertThat(orders.snapshot().endpoint("a:80").fenced()).isTrue();
        orders.unfence("a:80");
        assertThat(orders.pick(RequestFacts.NONE).settings().passHostHeader()).isFalse();
        running.success();
    }

    @Test
    void aServiceOfServersThatIsMadeOfServicesNowHasASuccessor() throws IOException {
        LoadBalancer orders = balancers.get("orders");
        write("    orders: {failover: {service: stock, fallback: stock2}}", STOCK, STOCK.replace("stock", "stock2"));
        time.advanceMillis(1_900);
        assertThat(balancers.get("orders")).isNotSameAs(orders);
        assertThat(balancers.get("orders").snapshot().strategy()).isEqualTo("failover");
    }

    @Test
    void aWrongContentIsReportedOnceAndChangesNothing() throws IOException {
        LoadBalancer orders = balancers.get("orders");
        write(ORDERS, "    stock: {loadBalancer: {servers: [{url: \"ftp://s\"}]}}");
        time.advanceMillis(4_000);
        assertThat(balancers.get("orders")).isSameAs(orders);
        assertThat(balancers.get("stock")).isNotNull();
        assertThat(reported).singleElement().asString().startsWith(file() + ":4: http.services.stock.");
        write(ORDERS);
        time.advanceMillis(1_900);
        assertThat(balancers.get("stock")).isNull();
    }

    @Test
    void aContentThatACheckRefusesChangesNothing() throws IOException {
        balancers.addCheck(file -> file.http().get("routers").problem("no router at all"));
        write(ORDERS);
        time.advanceMillis(1_900);
        assertThat(balancers.get("stock")).isNotNull();
        assertThat(reported).singleElement().asString().endsWith("no router at all");
    }

    @Test
    void aFileThatIsGoneIsReportedOnceAndChangesNothing() throws IOException {
        LoadBalancer orders = balancers.get("orders");
        Files.delete(file());
        time.advanceMillis(800);
        assertThat(reported).isEmpty();
        time.advanceMillis(60_000);
        assertThat(reported).containsExactly(file() + ":1: there is no such file; the configuration stays as it was");
        assertThat(balancers.get("orders")).isSameAs(orders);
        assertThat(orders.pick(RequestFacts.NONE).endpoint().id()).isEqualTo("a:80");
    }

    @Test
    void listenersOfAllHearOfServicesThatCameLaterAndOfThoseThatStayed() throws IOException {
        List<String> heard = new ArrayList<>();
        StateListener listener = change -> heard.add(change.toString());
        balancers.addListener(listener);
        write(STOCK, "    fresh: {loadBalancer: {servers: [{url: \"http://f\"}]}}");
        time.advanceMillis(1_900);
        balancers.get("fresh").fence("f:80");
        write(STOCK.replace("}]", ", fenced: true}]"));
        time.advanceMillis(1_900);
        assertThat(heard)
                .containsExactly(
                        "fresh f:80 ENDPOINT_FENCED",
                        "fresh SERVICE_DOWN",
                        "stock s:80 ENDPOINT_FENCED",
                        "stock SERVICE_DOWN");
        balancers.removeListener(listener);
        balancers.get("stock").unfence("s:80");
        assertThat(heard).hasSize(4);
    }

    @Test
    void serversThatCannotBeServedAreLeftOutNowAndLater() throws IOException {
        write(ORDERS.replace("}]", "}, {url: \"https://b\"}]"));
        try (LoadBalancers plain =
                LoadBalancers.from(ConfigFile.read(file()), time, endpoint -> !endpoint.isSecure())) {
            assertThat(plain.get("orders").snapshot().endpoints()).hasSize(1);
            write(ORDERS.replace("}]", "}, {url: \"https://c\"}, {url: \"http://d\"}]"));
            time.advanceMillis(1_900);
            assertThat(plain.get("orders").snapshot().endpoints())
                    .extracting(EndpointSnapshot::id)
                    .containsExactly("a:80", "d:80");
        }
    }

    private Path file() {
        return directory.resolve("lb.yaml");
    }

    private void write(String... services) throws IOException {
        String yaml = "http:\n  services:\n" + String.join("\n", services) + "\n";
        Files.write(file(), yaml.getBytes(StandardCharsets.UTF_8));
    }
}
