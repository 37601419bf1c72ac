package io.fairlead;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.config.ConfigFile;
import io.fairlead.config.ConfigProblem;
import io.fairlead.config.LoadBalancerSpec;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class AnswerRewriteTest {
    private static ConfigFile file(String rewrite) {
        return ConfigFile.parse(
                "lb.yaml",
                "http:\n  services:\n    orders:\n      loadBalancer:\n"
                        + "        servers: [{url: \"http://127.0.0.1:1\"}]\n        rewrite: " + rewrite + "\n");
    }

    private static AnswerRewrite read(String rewrite) {
        ConfigFile file = file(rewrite);
        file.throwIfBroken();
        return ((LoadBalancerSpec) file.services().get(0)).settings().rewrite();
    }

    @Test
    void nothingIsRewrittenUnlessAskedFor() {
        assertThat(read("{}")).isEqualTo(AnswerRewrite.NONE);
        assertThat(ServiceSettings.DEFAULT.rewrite().isActive()).isFalse();
        assertThat(read("{location: true}").isActive()).isTrue();
        assertThat(read("{cookies: true}").rewritesCookies()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "backend.example,shop.example",
        ".Backend.example,shop.example",
        "old.example,''",
        "sub.backend.example,",
    })
    void aDomainIsExchangedWhole(String domain, String to) {
        assertThat(read("{cookieDomain: {backend.example: shop.example, old.example: \"\"}}")
                        .domainFor(domain))
                .isEqualTo(to);
    }

    @Test
    void aStarStandsForAnyDomain() {
        assertThat(read("{cookieDomain: {\"*\": shop.example, a.example: b.example}}")
                        .domainFor("x.example"))
                .isEqualTo("shop.example");
        assertThat(read("{cookieDomain: {\"*\": shop.example, a.example: b.example}}")
                        .domainFor("a.example"))
                .isEqualTo("b.example");
    }

    @ParameterizedTest
    @CsvSource({
        "/app,/shop",
        "/app/,/shop/",
        "/app/x,/shop/x",
        "/app/admin,/admin",
        "/app/admin/y,/admin/y",
        "/application,",
        "/,",
        "/root/x,/x",
        "/root,/",
    })
    void aPathIsExchangedByWholeSegmentsTheLongestFirst(String path, String to) {
        assertThat(read("{cookiePath: {/app: /shop, /app/admin/: /admin, /root: /}}")
                        .pathFor(path))
                .isEqualTo(to);
    }

    @Test
    void whatCannotStandInACookieIsAProblem() {
        assertThat(file("{cookiePath: {app: /x, /a: x, /b: \"/x;y\"}, cookieDomain: {a: \"b;c\"}, cookie: true}")
                        .problems()
                        .list()
                        .stream()
                        .map(ConfigProblem::toString)
                        .collect(Collectors.toList()))
                .hasSize(5)
                .allMatch(line -> line.startsWith("lb.yaml:6: http.services.orders.loadBalancer.rewrite."));
    }
}
