package io.fairlead.servlet.forward;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.config.ConfigFile;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.eclipse.jetty.util.Promise;
import org.eclipse.jetty.util.SocketAddressResolver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which hosts may be named, and which addresses they may have. */
final class ForwardRulesTest {
    private static ConfigFile file(String forwardProxy) {
        return ConfigFile.parse(
                "lb.yaml",
                "http:\n  forwardProxy: " + forwardProxy
                        + "\n  services: {a: {loadBalancer: {servers: [{url: \"http://127.0.0.1:1\"}]}}}\n");
    }

    private static ForwardRules rules(String forwardProxy) {
        ConfigFile file = file(forwardProxy);
        ForwardRules rules = ForwardRules.read(file);
        assertThat(file.problems().list()).isEmpty();
        return rules;
    }

    @ParameterizedTest
    @CsvSource({
        "api.example.org, 80, true",
        "api.example.org, 443, true",
        "api.example.org, 8080, false",
        "x.example.com, 8443, true",
        "x.y.example.com, 8443, true",
        "example.com, 8443, false",
        "x.example.com, 443, false",
        "xexample.com, 8443, false",
        "::1, 80, true",
        "example.org, 80, false",
    })
    void hostsAreMatchedByNameAndPort(String host, int port, boolean allowed) {
        ForwardRules rules = rules("{hosts: [\"API.example.org\", \"*.example.com:8443\", \"[::1]\"]}");

        assertThat(rules.allows(host, port)).isEqualTo(allowed);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1",
                "127.8.8.8",
                "fec0::1",
                "64:ff9b:1::a00:1",
                "::ffff:0:127.0.0.1",
                "fd00:ec2::254",
                "100.100.100.200",
                "192.0.0.192",
                "168.63.129.16",
                "::1",
                "0.0.0.0",
                "::",
                "0.1.2.3",
                "169.254.169.254",
                "fe80::1",
                "224.0.0.1",
                "255.255.255.255",
                "ff02::1",
                "::ffff:127.0.0.1",
                "64:ff9b::7f00:1",
                "2002:7f00:1::",
                "::127.0.0.1"
            })
    void aNameMayNotMeanThisMachineOrItsNeighbourhood(String address) throws Exception {
        assertThat(rules("{hosts: [\"*.example.org\"]}").allows("a.example.org", InetAddress.getAllByName(address)[0]))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.0.0.1", "192.168.1.1", "93.184.216.34", "2001:db8::1", "64:ff9b::a00:1"})
    void aNameMayMeanAnyOtherMachine(String address) throws Exception {
        assertThat(rules("{hosts: [\"*.example.org\"]}").allows("a.example.org", InetAddress.getAllByName(address)[0]))
                .isTrue();
    }

    @Test
    void addressesThatAreListedMayBeMeant() throws Exception {
        ForwardRules rules = rules("{hosts: [\"*.example.org\"], addresses: [\"127.0.0.0/8\"]}");

        assertThat(rules.allows("a.example.org", InetAddress.getByAddress(new byte[] {127, 0, 0, 1})))
                .isTrue();
        assertThat(rules.allows("a.example.org", InetAddress.getByAddress(new byte[] {(byte) 169, (byte) 254, 1, 1})))
                .isFalse();
    }

    @Test
    void whatIsResolvedIsWhatIsConnectedToWithoutTheForbiddenOnes() throws Exception {
        ForwardRules rules = rules("{hosts: [\"*.example.org\"]}");
        InetSocketAddress bad =
                new InetSocketAddress(InetAddress.getByAddress(new byte[] {(byte) 169, (byte) 254, 1, 1}), 80);
        InetSocketAddress good = new InetSocketAddress(InetAddress.getByAddress(new byte[] {10, 0, 2, 1}), 80);

        assertThat(resolve(rules, bad, good)).containsExactly(good);
        assertThat(CompletableFuture.supplyAsync(() -> resolve(rules, bad)))
                .failsWithin(java.time.Duration.ofSeconds(10))
                .withThrowableOfType(java.util.concurrent.ExecutionException.class)
                .withRootCauseInstanceOf(ForbiddenAddressException.class);
    }

    private static List<InetSocketAddress> resolve(ForwardRules rules, InetSocketAddress... found) {
        SocketAddressResolver dns = (host, port, context, promise) -> promise.succeeded(List.of(found));
        Promise.Completable<List<InetSocketAddress>> resolved = new Promise.Completable<>();
        new GuardedResolver(dns, () -> rules, new ForwardLog()).resolve("A.Example.org", 80, Map.of(), resolved);
        return resolved.join();
    }

    @ParameterizedTest
    @ValueSource(strings = {"*", "*.", "http://a", "a:0", "a:65536", "a:x", "a b", "a..b", "*.*.org", "[::1", "a/b"})
    void whatIsNoHostIsAMistake(String host) {
        ConfigFile file = file("{hosts: [\"" + host + "\"]}");
        ForwardRules.read(file);

        assertThat(file.problems().list())
                .singleElement()
                .asString()
                .isEqualTo("lb.yaml:2: http.forwardProxy.hosts[0]: '" + host
                        + "' is not a host such as api.example.org," + " *.example.org or api.example.org:8443");
    }

    @Test
    void mistakesNameTheirKeys() {
        ConfigFile file = file("{host: [a], addresses: [x]}");
        ForwardRules.read(file);

        assertThat(file.problems().list()).hasSize(2);
        assertThat(file.problems().list().get(0)).asString().contains("did you mean 'hosts'?");
        assertThat(Authority.parse("a.b:80", 0)).isEqualTo(new Authority("a.b", 80));
        assertThat(Authority.parse("A.b.", 443)).isEqualTo(new Authority("a.b", 443));
        assertThat(Authority.parse("[::1]:8", 0)).isEqualTo(new Authority("::1", 8));
        assertThat(Authority.parse("a.b", 0)).isNull();
        assertThat(Authority.parse("a@b:80", 0)).isNull();
        assertThat(Authority.parse(":80", 0)).isNull();
    }
}
