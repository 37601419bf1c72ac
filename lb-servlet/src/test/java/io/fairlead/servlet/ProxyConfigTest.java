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
    void everyMistakeInAMiddlewareIsToldWithItsLineAndKeys() {
        assertThat(problems("""
                  middlewares:
                    h1: {headers: {customRequestHeader: {A: b}}}
                    h2: {headers: {customRequestHeaders: {Connection: x}, customResponseHeaders: {"a b": c, D: "e\\nf"}}}
                    h3: {headers: {stsSeconds: many, accessControlAllowOriginListRegex: ["("], referrerPolicy: "a\\rb"}}
                    e1: {errors: {service: nobody, query: "/a b"}}
                    e2: {errors: {status: ["5xx", "599-500"], service: spare, statusRewrites: {"500": 204}}}
                    c1: {compress: {encodings: [], excludedContentTypes: [text], includedContentTypes: [a/b]}}
                    c2: {compress: {encodings: [deflate], excludedContentTypes: [a/b], includedContentTypes: [a/b]}}
                    b1: {buffering: {maxRequestBodyBytes: -2, retryExpression: "Attempts() &&"}}
                    r1: {retry: {initialInterval: soon}}
                    r2: {retry: {attempts: 11, disableRetryOnNetworkError: true}}
                    k1: {circuitBreaker: {responseCode: 200}}
                    k2: {circuitBreaker: {expression: "NetworkErrorRate() > 1", fallbackDuration: 0s}}
                """))
                .extracting(problem -> problem.replaceFirst("^lb.yaml:", ""))
                .satisfiesExactly(
                        p -> assertThat(p)
                                .isEqualTo("6: http.middlewares.h1.headers.customRequestHeader: unknown key"
                                        + " 'customRequestHeader'; did you mean 'customRequestHeaders'?"),
                        p -> assertThat(p)
                                .startsWith(
                                        "7: http.middlewares.h2.headers.customRequestHeaders.Connection: the field"),
                        p -> assertThat(p)
                                .startsWith("7: http.middlewares.h2.headers.customResponseHeaders.a b: 'a b' is not"),
                        p -> assertThat(p)
                                .startsWith("7: http.middlewares.h2.headers.customResponseHeaders.D: holds a char"),
                        p -> assertThat(p)
                                .startsWith("8: http.middlewares.h3.headers.accessControlAllowOriginListRegex[0]: '('"),
                        p -> assertThat(p).startsWith("8: http.middlewares.h3.headers.referrerPolicy: holds a char"),
                        p -> assertThat(p)
                                .startsWith("8: http.middlewares.h3.headers.stsSeconds: must be a whole number"),
                        p -> assertThat(p).isEqualTo("9: http.middlewares.e1.errors.status: is missing"),
                        p -> assertThat(p)
                                .isEqualTo("9: http.middlewares.e1.errors.service: there is no service 'nobody'"),
                        p -> assertThat(p)
                                .isEqualTo("9: http.middlewares.e1.errors.query: '/a b' cannot stand in a URL"),
                        p -> assertThat(p).startsWith("10: http.middlewares.e2.errors.status[0]: '5xx' is neither"),
                        p -> assertThat(p).contains("status[1]: the range '599-500' ends before it begins"),
                        p -> assertThat(p).contains("10: http.middlewares.e2.errors.statusRewrites.500: "),
                        p -> assertThat(p)
                                .contains("11: http.middlewares.c1.compress.excludedContentTypes[0]: 'text' is not"),
                        p -> assertThat(p).contains("c1.compress.encodings: is empty"),
                        p -> assertThat(p).contains("12: http.middlewares.c2.compress: has both"),
                        p -> assertThat(p).contains("c2.compress.encodings[0]: 'deflate' is not a known encoding"),
                        p -> assertThat(p)
                                .contains("13: http.middlewares.b1.buffering.retryExpression: a number is no cond"),
                        p -> assertThat(p)
                                .contains("b1.buffering.maxRequestBodyBytes: must be a whole number of at least -1"),
                        p -> assertThat(p).isEqualTo("14: http.middlewares.r1.retry.attempts: is missing"),
                        p -> assertThat(p)
                                .startsWith("14: http.middlewares.r1.retry.initialInterval: must be a duration"),
                        p -> assertThat(p)
                                .contains(
                                        "15: http.middlewares.r2.retry.attempts: must be a whole number from 1 to 10"),
                        p -> assertThat(p).contains("r2.retry: disableRetryOnNetworkError needs a status"),
                        p -> assertThat(p).contains("16: http.middlewares.k1.circuitBreaker.responseCode: must be"),
                        p -> assertThat(p).isEqualTo("16: http.middlewares.k1.circuitBreaker.expression: is missing"),
                        p -> assertThat(p).contains("k2.circuitBreaker.fallbackDuration: must be more than zero"),
                        p -> assertThat(p)
                                .contains("there is no function 'NetworkErrorRate'; known: LatencyAtQuantileMS"));
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
        ConfigFile file = ConfigFile.parse("lb.yaml", "http:\n" + SERVICES);
        ProxyConfig.check(file);
        assertThat(file.problems().list()).isEmpty();
        assertThat(file.notices())
                .singleElement()
                .asString()
                .endsWith("http.routers: is missing, and there are 2 services: no request goes to any of them");
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
