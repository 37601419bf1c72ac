package io.fairlead.servlet.middleware;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.config.ConfigFile;
import io.fairlead.config.ConfigProblem;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ChainTest {
    private static ConfigFile file(String middlewares) {
        return ConfigFile.parse(
                "lb.yaml",
                "http:\n  services:\n    orders: {loadBalancer: {servers: [{url: \"http://127.0.0.1:1\"}]}}\n"
                        + "  middlewares:\n" + middlewares.indent(4));
    }

    private static Middleware chain(String name, String middlewares) {
        ConfigFile file = file(middlewares);
        Middleware chain = Middlewares.read(file, null).get(name, "router");
        file.throwIfBroken();
        return chain;
    }

    private static List<String> problems(String middlewares) {
        ConfigFile file = file(middlewares);
        Middlewares.read(file, null);
        return file.problems().list().stream().map(ConfigProblem::toString).toList();
    }

    @Test
    void aChainAppliesItsLinksInOrder() {
        Middleware chain = chain("all", """
                all: {chain: {middlewares: [inner, c]}}
                inner: {chain: {middlewares: [a, b]}}
                a: {addPrefix: {prefix: /a}}
                b: {addPrefix: {prefix: /b}}
                c: {addPrefix: {prefix: /c}}
                """);

        assertThat(FakeRequest.get("/x").through(chain).path()).isEqualTo("/c/b/a/x");
    }

    @Test
    void theChainEndsAtTheFirstLinkThatAnswers() {
        Middleware chain = chain("all", """
                all: {chain: {middlewares: [a, only, b]}}
                a: {addPrefix: {prefix: /a}}
                only: {ipAllowList: {sourceRange: [10.0.0.1]}}
                b: {addPrefix: {prefix: /b}}
                """);

        FakeRequest request = FakeRequest.get("/x").through(chain);

        assertThat(request.status()).isEqualTo(403);
        assertThat(request.path()).isEqualTo("/a/x");
    }

    @Test
    void aChainInACircleIsTold() {
        assertThat(problems("""
                one: {chain: {middlewares: [two]}}
                two: {chain: {middlewares: [a, three]}}
                three: {chain: {middlewares: [two]}}
                self: {chain: {middlewares: [self]}}
                a: {addPrefix: {prefix: /a}}
                """))
                .contains(
                        "lb.yaml:7: http.middlewares.three.chain.middlewares[0]: the chain 'two' contains itself:"
                                + " two -> three -> two",
                        "lb.yaml:8: http.middlewares.self.chain.middlewares[0]: the chain 'self' contains itself:"
                                + " self -> self");
    }

    @Test
    void aLinkThatCountsGoesOnCountingWhenTheFileIsLoadedAnewAndAnotherLinkHasChanged() {
        String before = """
                all: {chain: {middlewares: [once, add]}}
                once: {rateLimit: {average: 1, period: 1h}}
                add: {addPrefix: {prefix: /a}}
                """;
        Middlewares first = Middlewares.read(file(before), null);
        assertThat(FakeRequest.get("/x").through(first.get("all", "router")).path())
                .isEqualTo("/a/x");

        Middlewares second = Middlewares.read(file(before.replace("/a", "/b")), first);
        assertThat(FakeRequest.get("/x")
                        .from("192.0.2.2")
                        .through(second.get("all", "router"))
                        .path())
                .isEqualTo("/b/x");
        assertThat(FakeRequest.get("/x").through(second.get("all", "router")).status())
                .isEqualTo(429);

        Middlewares third = Middlewares.read(file(before.replace("1h", "2h")), second);
        assertThat(FakeRequest.get("/x").through(third.get("all", "router")).status())
                .isZero();
    }

    @Test
    void aChainOfWhatIsNotThereIsTold() {
        assertThat(problems("one: {chain: {middlewares: [nobody]}}\ntwo: {chain: {}}"))
                .containsExactly(
                        "lb.yaml:5: http.middlewares.one.chain.middlewares[0]: there is no middleware 'nobody'",
                        "lb.yaml:6: http.middlewares.two.chain.middlewares: is missing");
    }

    @Test
    void chainsThatMultiplyWithoutEndAreRefused() {
        StringBuilder doubling = new StringBuilder("c0: {addPrefix: {prefix: /a}}\n");
        for (int i = 1; i < 14; i++) {
            doubling.append("c%d: {chain: {middlewares: [c%d, c%d]}}\n".formatted(i, i - 1, i - 1));
        }
        assertThat(problems(doubling.toString())).anyMatch(line -> line.contains("more than 1000 middlewares"));

        StringBuilder deep = new StringBuilder("c2000: {addPrefix: {prefix: /a}}\n");
        for (int i = 0; i < 2000; i++) {
            deep.append("c%d: {chain: {middlewares: [c%d]}}\n".formatted(i, i + 1));
        }
        assertThat(problems(deep.toString())).anyMatch(line -> line.contains("16 deep at most"));
    }
}
