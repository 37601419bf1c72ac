package io.fairlead.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.fairlead.Endpoint;
import io.fairlead.LevelOptions;
import io.fairlead.ServiceSettings;
import io.fairlead.compose.MirrorOptions;
import io.fairlead.health.HealthCheck;
import io.fairlead.health.PassiveHealthCheck;
import io.fairlead.health.SlowStart;
import io.fairlead.sticky.StickyCookie;
import io.fairlead.strategy.StrategyOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ConfigFileTest {
    @Test
    void theExampleOfTheContractIsValid() {
        ConfigFile file = ConfigFile.parse("lb.yaml", Resources.text("contract.yaml"));

        assertThat(file.problems().list()).isEmpty();
        assertThatCode(file::throwIfBroken).doesNotThrowAnyException();
        assertThat(file.services())
                .extracting(ServiceSpec::name)
                .containsExactly("orders", "orders-with-spare", "orders-canary", "orders-shadow", "spare");
        assertThat(file.http().get("routers").get("orders").get("rule").string())
                .isEqualTo("PathPrefix(`/orders`)");
        assertThat(file.hasService("ORDERS-canary")).isTrue();
        assertThat(file.hasService("strip")).isFalse();
    }

    @Test
    void everyKeyOfTheExampleArrivesInItsSpec() {
        LoadBalancerSpec orders = (LoadBalancerSpec) ConfigFile.parse("lb.yaml", Resources.text("contract.yaml"))
                .services()
                .get(0);

        assertThat(orders.strategy()).isEqualTo("hrw");
        assertThat(orders.options().hashBy()).isEqualTo("$http_x_user_id");
        assertThat(orders.servers())
                .containsExactly(
                        Endpoint.of("http://10.0.0.1:8080", 2),
                        Endpoint.builder("http://10.0.0.2:8080").fenced(true).build(),
                        Endpoint.builder("http://10.0.0.3:8080")
                                .backup(true)
                                .zone("eu-1")
                                .build());
        assertThat(orders.healthCheck())
                .isEqualTo(HealthCheck.builder().path("/healthz").build());
        assertThat(orders.passiveHealthCheck())
                .isEqualTo(PassiveHealthCheck.builder().build());
        assertThat(orders.sticky())
                .isEqualTo(StickyCookie.builder()
                        .name("lb")
                        .httpOnly(true)
                        .sameSite("lax")
                        .maxAge(Duration.ofHours(1))
                        .build());
        assertThat(orders.levels()).isEqualTo(LevelOptions.DEFAULT.withSlowStart(SlowStart.of(Duration.ofSeconds(30))));
        assertThat(orders.settings()).isEqualTo(ServiceSettings.DEFAULT);
    }

    @Test
    void aCookieThatBrowsersWouldRefuseIsAMistake() {
        String service = "http: {services: {a: {loadBalancer: {servers: [{url: \"http://a\"}],\n"
                + "  sticky: {cookie: {sameSite: none%s}}}}}}\n";

        assertThat(ConfigFile.parse("lb.yaml", String.format(service, "")).problems())
                .hasToString("lb.yaml:2: http.services.a.loadBalancer.sticky.cookie.sameSite: is none, and browsers"
                        + " refuse such a cookie without secure: true");
        assertThat(ConfigFile.parse("lb.yaml", String.format(service, ", secure: true"))
                        .problems()
                        .list())
                .isEmpty();
    }

    @Test
    void servicesMadeOfServicesArriveInTheirSpecs() {
        ConfigFile file = ConfigFile.parse("lb.yaml", Resources.text("contract.yaml"));

        assertThat(file.services().get(1)).isEqualTo(new FailoverSpec("orders-with-spare", "orders", "spare"));
        assertThat(file.services().get(2))
                .isEqualTo(new WeightedSpec(
                        "orders-canary",
                        Arrays.asList(new WeightedSpec.Part("orders", 9), new WeightedSpec.Part("spare", 1)),
                        null));
        assertThat(file.services().get(3))
                .isEqualTo(new MirroringSpec(
                        "orders-shadow",
                        "orders",
                        Collections.singletonList(new MirroringSpec.Mirror("spare", 10)),
                        MirrorOptions.DEFAULT));
        assertThat(file.services().get(3).parts()).containsExactly("orders", "spare");
    }

    @Test
    void whatHasNoEffectYetIsToldAndNotRefused() {
        ConfigFile file = ConfigFile.parse(
                "lb.yaml",
                String.join(
                        "\n",
                        "http:",
                        "  services:",
                        "    a:",
                        "      loadBalancer:",
                        "        servers:",
                        "          - {url: \"http://10.0.0.1\", zone: eu-1}",
                        "          - {url: \"http://10.0.0.2\", zone: eu-2}",
                        "        panicThreshold: 50",
                        "        serversTransport: tls",
                        "        passiveHealthCheck:",
                        "      sticky: {cookie: {}}",
                        "      slowStart: 10",
                        "    b:",
                        "      weighted: {services: [{name: a}], sticky: {cookie: {name: b}}}",
                        "    c:",
                        "      mirroring: {service: a, mirrors: [{name: b, percent: 5}]}",
                        "  serversTransports:",
                        "    tls:",
                        "      serverName: orders",
                        "      insecureSkipVerify: true",
                        "      forwardingTimeouts: {dialTimeout: 1s}",
                        "admin: {port: 9090}"));

        assertThat(file.problems().list()).isEmpty();
        assertThat(file.notices())
                .extracting(ConfigProblem::toString)
                .containsExactly(
                        "lb.yaml:10: http.services.a.loadBalancer.passiveHealthCheck: has no value and no effect;"
                                + " write {} for the defaults",
                        "lb.yaml:22: admin: has no effect in this version");
    }

    @Test
    void timeLimitsStandInAServersTransport() {
        LoadBalancerSpec spec = onlyService(
                "http:",
                "  services:",
                "    a: {loadBalancer: {servers: [], serversTransport: Slow, passHostHeader: false}}",
                "  serversTransports:",
                "    slow: {forwardingTimeouts: {dialTimeout: 250ms, responseHeaderTimeout: 1m30s}}");

        assertThat(spec.settings())
                .isEqualTo(ServiceSettings.DEFAULT
                        .withPassHostHeader(false)
                        .withTimeouts(Duration.ofMillis(250), Duration.ofSeconds(90), Duration.ofSeconds(90)));
    }

    @Test
    void checksMayStandBesideTheLoadBalancer() {
        LoadBalancerSpec spec = onlyService(
                "http:",
                "  services:",
                "    a:",
                "      loadBalancer: {servers: []}",
                "      healthCheck: {port: 8081, hostname: health, interval: 1, timeout: 0.5, fall: \"1\", rise: 1}",
                "      passiveHealthCheck: {maxFailedAttempts: 2, failureWindow: 1m, baseEjection: 1s,"
                        + " maxEjection: 2s, maxEjectedPercent: 100}",
                "      passHostHeader: false");

        assertThat(spec.healthCheck())
                .isEqualTo(HealthCheck.builder()
                        .port(8081)
                        .hostname("health")
                        .interval(Duration.ofSeconds(1))
                        .timeout(Duration.ofMillis(500))
                        .fall(1)
                        .rise(1)
                        .build());
        assertThat(spec.passiveHealthCheck())
                .isEqualTo(PassiveHealthCheck.builder()
                        .maxFailedAttempts(2)
                        .failureWindow(Duration.ofMinutes(1))
                        .baseEjection(Duration.ofSeconds(1))
                        .maxEjection(Duration.ofSeconds(2))
                        .maxEjectedPercent(100)
                        .build());
        assertThat(spec.settings().passHostHeader()).isFalse();
    }

    @Test
    void noCheckRunsUnlessConfigured() {
        LoadBalancerSpec spec = onlyService("http:", "  services:", "    a: {loadBalancer: {servers: []}}");

        assertThat(spec.strategy()).isEqualTo("wrr");
        assertThat(spec.healthCheck()).isNull();
        assertThat(spec.passiveHealthCheck()).isNull();
    }

    @Test
    void caseDoesNotMatterInKeys() {
        LoadBalancerSpec spec = onlyService(
                "HTTP:",
                "  Services:",
                "    Orders: {LOADBALANCER: {Servers: [{URL: \"http://10.0.0.1\", Weight: 3}]}, passhostheader: false}");

        assertThat(spec.name()).isEqualTo("Orders");
        assertThat(spec.servers()).containsExactly(Endpoint.of("http://10.0.0.1", 3));
        assertThat(spec.settings().passHostHeader()).isFalse();
    }

    @Test
    void aServerMayHaveAnIdOfItsOwnAndNoWeight() {
        LoadBalancerSpec spec = onlyService(
                "http:",
                "  services:",
                "    a: {loadBalancer: {servers: [{url: \"http://10.0.0.1\", id: one, weight: -5},"
                        + " {url: \"http://10.0.0.1\"}]}}");

        assertThat(spec.servers())
                .containsExactly(
                        Endpoint.builder("http://10.0.0.1").id("one").weight(-5).build(),
                        Endpoint.of("http://10.0.0.1"));
    }

    @Test
    void aliasesAndMergedMappingsStandForWhatTheyName() {
        ConfigFile file = ConfigFile.parse(
                "lb.yaml",
                String.join(
                        "\n",
                        "http:",
                        "  services:",
                        "    a:",
                        "      loadBalancer: &base",
                        "        servers: &servers [{url: \"http://10.0.0.1\"}]",
                        "        strategy: wrr",
                        "      healthCheck: &check {fall: 7}",
                        "    b:",
                        "      loadBalancer: {<<: *base, strategy: random}",
                        "      healthCheck: *check",
                        "    c:",
                        "      loadBalancer: {servers: *servers, healthCheck: {rise: 3, <<: [*check, {fall: 9}]}}"));

        assertThat(file.problems().list()).isEmpty();
        LoadBalancerSpec b = (LoadBalancerSpec) file.services().get(1);
        LoadBalancerSpec c = (LoadBalancerSpec) file.services().get(2);
        assertThat(b.servers()).containsExactly(Endpoint.of("http://10.0.0.1"));
        assertThat(b.strategy()).isEqualTo("random");
        assertThat(b.healthCheck()).isEqualTo(HealthCheck.builder().fall(7).build());
        assertThat(c.healthCheck())
                .isEqualTo(HealthCheck.builder().fall(7).rise(3).build());
    }

    @Test
    void linesAreCountedWithWindowsLineEndsToo() {
        ConfigFile file = ConfigFile.parse("lb.yaml", "http:\r\n  services:\r\n    a: {}\r\n");

        assertThat(file.problems().list()).extracting(ConfigProblem::line).containsExactly(3);
    }

    @Test
    void specsAreEqualByValueWhereverTheyStand() {
        String service = "a: {loadBalancer: {servers: [{url: \"http://10.0.0.1\"}], healthCheck: {fall: 2}}}";
        ConfigFile one = ConfigFile.parse("one", "http: {services: {" + service + "}}");
        ConfigFile two = ConfigFile.parse("two", "\n\nhttp:\n  services:\n    # moved\n    " + service);
        ConfigFile other =
                ConfigFile.parse("other", "http: {services: {" + service.replace("fall: 2", "fall: 3") + "}}");

        assertThat(one.services()).isEqualTo(two.services()).hasSameHashCodeAs(two.services());
        assertThat(one.services()).isNotEqualTo(other.services());
    }

    @Test
    void aFileIsNamedAsItWasGiven(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("a/../lb.yaml");
        Files.createDirectory(directory.resolve("a"));
        Files.write(file, "http: {}".getBytes(StandardCharsets.UTF_8));

        assertThat(ConfigFile.read(file).problems()).hasToString(file + ":1: http.services: is missing");
        assertThat(ConfigFile.read(file).name()).isEqualTo(file.toString());
    }

    @Test
    void aFileThatCannotBeReadIsAProblem(@TempDir Path directory) {
        Path missing = directory.resolve("none.yaml");

        assertThat(ConfigFile.read(missing).problems()).hasToString(missing + ":1: there is no such file");
        assertThat(ConfigFile.read(directory).problems()).hasToString(directory + ":1: is a directory, not a file");
        assertThat(ConfigFile.read(directory).services()).isEmpty();
        assertThat(ConfigFile.read(directory).http().isMissing()).isTrue();
    }

    @Test
    void textThatIsNotUtf8IsToldWithItsLine(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("latin1.yaml");
        Files.write(file, "http:\n  # f\u00fcr alle\n".getBytes(StandardCharsets.ISO_8859_1));

        assertThat(ConfigFile.read(file).problems()).hasToString(file + ":2: the file is not UTF-8 text");
    }

    @Test
    void aCharacterThatYamlDoesNotKnowIsToldWithItsLine(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("nul.yaml");
        Files.write(file, "http:\n  services: \0\n".getBytes(StandardCharsets.UTF_8));

        assertThat(ConfigFile.read(file).problems())
                .hasToString(file + ":2: not valid YAML: the character U+0000 cannot stand in it");
    }

    @Test
    void aByteOrderMarkIsPassedOver(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("bom.yaml");
        Files.write(
                file, "\uFEFFhttp: {services: {a: {loadBalancer: {servers: []}}}}".getBytes(StandardCharsets.UTF_8));

        assertThat(ConfigFile.read(file).problems().list()).isEmpty();
    }

    private static LoadBalancerSpec onlyService(String... lines) {
        ConfigFile file = ConfigFile.parse("lb.yaml", String.join("\n", lines));
        assertThat(file.problems().list()).isEmpty();
        assertThat(file.services()).hasSize(1);
        return (LoadBalancerSpec) file.services().get(0);
    }

    @Test
    void readsTheOptionsOfTheStrategies() {
        ConfigFile file = ConfigFile.parse(
                "lb.yaml",
                String.join(
                        "\n",
                        "http:",
                        "  services:",
                        "    a:",
                        "      loadBalancer:",
                        "        strategy: Maglev",
                        "        tableSize: 251",
                        "        boundedLoad: 1.25",
                        "        hashFunction: fnv1a-fmix64",
                        "        pointsPerServer: 100",
                        "        choices: 3",
                        "        decay: 5s",
                        "        servers: []"));
        assertThat(file.problems().list()).isEmpty();
        LoadBalancerSpec spec = (LoadBalancerSpec) file.services().get(0);
        assertThat(spec.options())
                .isEqualTo(StrategyOptions.DEFAULT
                        .withTableSize(251)
                        .withBoundedLoad(1.25)
                        .withHashFunction("fnv1a-fmix64")
                        .withPointsPerServer(100)
                        .withChoices(3)
                        .withDecay(Duration.ofSeconds(5)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "healthCheck: {}",
                "passiveHealthCheck: {}",
                "sticky: {cookie: {}}",
                "slowStart: 10s",
                "passHostHeader: false",
                "retry: {attempts: 2}",
                "hedge: {}"
            })
    void whatMayStandBesideTheLoadBalancerMeansTheSameThere(String key) {
        String server = "servers: [{url: \"http://a\"}]";
        ConfigFile beside = ConfigFile.parse(
                "lb.yaml", "http: {services: {orders: {loadBalancer: {" + server + "}, " + key + "}}}");
        ConfigFile within = ConfigFile.parse(
                "lb.yaml", "http: {services: {orders: {loadBalancer: {" + server + ", " + key + "}}}}");
        assertThat(beside.problems().list()).isEmpty();
        assertThat(beside.services()).isEqualTo(within.services());
    }

    @Test
    void theLeastNumberOfAllIsNoChoiceEither() {
        ConfigFile file = ConfigFile.parse(
                "lb.yaml", "http: {services: {a: {loadBalancer: {strategy: p2c, choices: -2147483648, servers: []}}}}");
        assertThat(file.problems().toString()).contains("lb.yaml:1: http.services.a.loadBalancer.choices: ");
    }
}
