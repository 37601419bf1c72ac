package io.fairlead.servlet.middleware;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.config.ConfigFile;
import io.fairlead.config.ConfigProblem;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Middlewares that are read and would do nothing, or something else than they seem to. */
final class NothingToDoTest {
    @Test
    void aListThatMustBeThereMustHoldSomething() {
        assertThat(Configured.problems("{prefixes: []}", StripPrefix::read)).containsExactly(".prefixes: is empty");
        assertThat(Configured.problems("{regex: []}", StripPrefixRegex::read)).containsExactly(".regex: is empty");
        assertThat(Configured.problems("{}", Headers::read)).containsExactly(": sets nothing");
        assertThat(Configured.problems("{encodings: [br], defaultEncoding: gzip}", Compress::read))
                .containsExactly(".defaultEncoding: 'gzip' is none of encodings");
        assertThat(problems("a: {chain: {middlewares: []}}")).endsWith("a.chain.middlewares: is empty");
        assertThat(problems("a: {errors: {service: orders, status: []}}")).endsWith("a.errors.status: is empty");
    }

    private static String problems(String middleware) {
        ConfigFile file = ConfigFile.parse("lb.yaml", """
                http:
                  services: {orders: {loadBalancer: {servers: [{url: "http://127.0.0.1:1"}]}}}
                  middlewares: {%s}
                """.formatted(middleware));
        Middlewares.read(file, null);
        List<ConfigProblem> problems = file.problems().list();
        assertThat(problems).hasSize(1);
        return problems.get(0).toString();
    }

    @Test
    void aStatusIsOneThatCanBe() {
        assertThat(problems("a: {errors: {service: orders, status: [\"100-599\"]}}"))
                .endsWith("a.errors.status[0]: '100-599' is neither a status from 200 to 599"
                        + " nor a range of such, as 500-599");
        assertThat(problems("a: {retry: {attempts: 2, status: [\"200\"]}}"))
                .contains("a.retry.status[0]: '200' is neither a status from 400 to 599");
    }

    @Test
    void aZeroThatCountsAsSomethingElseIsTold() {
        assertThat(Configured.notices("{average: 1, burst: 0, period: 0s}", RateLimit::read))
                .containsExactly(".burst: 0 counts as 1", ".period: 0 counts as 1s");
        assertThat(Configured.notices("{burst: 5}", RateLimit::read))
                .containsExactly(": has no average, so that nothing is limited");
        assertThat(Configured.notices("{average: 1, burst: 1, period: 1s}", RateLimit::read))
                .isEmpty();
        assertThat(Configured.notices("{amount: 0}", InFlightReq::read))
                .containsExactly(".amount: 0 lets no request through");
    }

    @Test
    void whatHasNoEffectIsTold() {
        assertThat(Configured.notices("{prefix: /}", AddPrefix::read))
                .singleElement()
                .asString()
                .startsWith(".prefix: ");
        assertThat(Configured.notices("{prefixes: [/a], forceSlash: false}", StripPrefix::read))
                .containsExactly(".forceSlash: has no effect: what is left of a path always begins with /");
        assertThat(Configured.notices("{prefixes: [/, /a]}", StripPrefix::read))
                .containsExactly(".prefixes[0]: cuts nothing off, and is left out");
        assertThat(FakeRequest.get("/a/b")
                        .through(Configured.of("{prefixes: [/, /a]}", StripPrefix::read))
                        .path())
                .isEqualTo("/b");
    }
}
