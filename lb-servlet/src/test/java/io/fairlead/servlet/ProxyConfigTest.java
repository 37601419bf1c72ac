package io.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.config.ConfigFile;
import io.fairlead.config.ConfigProblem;
import io.fairlead.servlet.routing.RouteFacts;
import io.fairlead.servlet.routing.Router;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ProxyConfigTest {
    private static final String SERVICES = """
              services:
                orders: {loadBalancer: {servers: [{url: "http://127.0.0.1:1"}]}}
                spare: {loadBalancer: {servers: [{url: "http://127.0.0.1:2"}]}}
            """;

    private static List<String> problems(String routes) {
        ConfigFile file = ConfigFile.parse("lb.yaml", "http:\n" + SERVICES + routes);
        ProxyConfig.check(file);
        ProxyConfig.check(file);
        return file.problems().list().stream().map(ConfigProblem::toString).toList();
    }

    @Test
    void goodRoutesHaveNoProblem() {
        assertThat(problems("""
                  routers:
                    one: {rule: "PathPrefix(`/a`)", service: Orders, middlewares: [strip, add], priority: 7, entryPoints: [web]}
                  middlewares:
                    strip: {stripPrefix: {prefixes: ["/a", "/b/"]}}
                    add: {addPrefix: {prefix: "/x"}}
                """)).isEmpty();
    }

    @Test
    void everyMistakeIsToldOnceWithItsLineAndKeys() {
        assertThat(problems("""
                  routers:
                    one: {rule: "PathPrefix(`/a`", service: orders}
                    two: {rule: "Host(`a`)", service: nobody}
                    three: {rule: "Host(`a`)", service: orders, middlewares: [strip, gone]}
                    four: {rulle: "Host(`a`)", service: orders}
                    five: {rule: "Host(`a`)"}
                  middlewares:
                    strip: {stripPrefx: {prefixes: ["/a"]}}
                    bare: {addPrefix: {prefix: "x"}}
                """))
                .containsExactly(
                        "lb.yaml:6: http.routers.one.rule: ')' is expected, and the rule ends (position 16 of the rule)",
                        "lb.yaml:7: http.routers.two.service: there is no service 'nobody'",
                        "lb.yaml:8: http.routers.three.middlewares[1]: there is no middleware 'gone'",
                        "lb.yaml:9: http.routers.four.rulle: unknown key 'rulle'; did you mean 'rule'?",
                        "lb.yaml:10: http.routers.five.service: is missing",
                        "lb.yaml:12: http.middlewares.strip.stripPrefx: unknown key 'stripPrefx'; did you mean"
                                + " 'stripPrefix'?",
                        "lb.yaml:13: http.middlewares.bare.addPrefix.prefix: the prefix 'x' does not begin with /");
    }

    @Test
    void aMiddlewareOfUnknownKindIsToldWithTheKnownOnes() {
        assertThat(problems("""
                  routers:
                    one: {rule: "Host(`a`)", service: orders, middlewares: [auth]}
                  middlewares:
                    auth: {digestAuth: {users: [a]}}
                """))
                .singleElement()
                .satisfies(line -> assertThat(line)
                        .startsWith("lb.yaml:8: http.middlewares.auth.digestAuth: ")
                        .contains("addPrefix", "stripPrefix"));
    }

    @Test
    void theLongestRuleIsAskedFirstUnlessAPriorityIsGiven() {
        ProxyConfig config = read("""
                  routers:
                    short: {rule: "PathPrefix(`/a`)", service: orders}
                    long: {rule: "PathPrefix(`/a/b`)", service: spare}
                    first: {rule: "Path(`/a/b/c`)", service: orders, priority: 1000}
                    last: {rule: "PathPrefix(`/`) && PathPrefix(`/`)", service: orders, priority: 1}
                """);

        assertThat(routerOf(config, "/a/x").name()).isEqualTo("short");
        assertThat(routerOf(config, "/a/b/x").name()).isEqualTo("long");
        assertThat(routerOf(config, "/a/b/c").name()).isEqualTo("first");
        assertThat(routerOf(config, "/z").name()).isEqualTo("last");
    }

    @Test
    void severalServicesWithoutRoutersGetNothing() {
        assertThat(read("").routes().match(request("/"))).isNull();
    }

    private static ProxyConfig read(String routes) {
        ConfigFile file = ConfigFile.parse("lb.yaml", "http:\n" + SERVICES + routes);
        ProxyConfig config = ProxyConfig.read(file, null);
        file.throwIfBroken();
        return config;
    }

    private static Router routerOf(ProxyConfig config, String path) {
        return config.routes().match(request(path));
    }

    private static RouteFacts request(String path) {
        return new RouteFacts() {
            @Override
            public String path() {
                return path;
            }

            @Override
            public Enumeration<String> headers(String name) {
                return Collections.emptyEnumeration();
            }
        };
    }
}
