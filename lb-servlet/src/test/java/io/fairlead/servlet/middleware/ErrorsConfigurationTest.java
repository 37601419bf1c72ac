package io.fairlead.servlet.middleware;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.config.ConfigFile;
import io.fairlead.config.ConfigProblem;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ErrorsConfigurationTest {
    private static List<String> problems(String middlewares) {
        ConfigFile file = ConfigFile.parse(
                "lb.yaml",
                "http:\n  services:\n    orders: {loadBalancer: {servers: [{url: \"http://127.0.0.1:1\"}]}}\n"
                        + "  middlewares:\n" + middlewares);
        Middlewares.read(file, null);
        return file.problems().list().stream().map(ConfigProblem::toString).toList();
    }

    private static List<String> ofStatus(String status) {
        return problems("    e: {errors: {service: orders, status: [\"" + status + "\"]}}\n");
    }

    @Test
    void statusesWithoutABodyAreRefused() {
        assertThat(ofStatus("200-599")).isEmpty();
        assertThat(ofStatus("100-199")).singleElement().asString().contains("neither a status from 200 to 599");
        assertThat(ofStatus("500,204")).singleElement().asString().contains("an answer of 204 has no body");
        assertThat(ofStatus("304")).singleElement().asString().contains("an answer of 304 has no body");
    }

    @Test
    void aPageThatClimbsIsRefused() {
        assertThat(problems("    e: {errors: {service: orders, status: [\"500\"], query: \"/a/../b\"}}\n"))
                .singleElement()
                .asString()
                .startsWith("lb.yaml:5: http.middlewares.e.errors.query: '/a/../b' has a .. in it");
    }

    @Test
    void namesOfMiddlewaresAreComparedWithoutCase() {
        assertThat(problems("    One: {chain: {middlewares: [TWO]}}\n    two: {addPrefix: {prefix: /x}}\n"))
                .isEmpty();
        assertThat(problems("    two: {addPrefix: {prefix: /x}}\n    Two: {addPrefix: {prefix: /y}}\n"))
                .singleElement()
                .asString()
                .contains("twice");
    }

    @Test
    void aHostThatIsNoneIsTold() {
        assertThat(problems("    h: {headers: {customRequestHeaders: {Host: \"a b\"}}}\n"))
                .singleElement()
                .asString()
                .endsWith("Host: 'a b' is no host, with or without a port");
    }

    @Test
    void whatTraefikCountsElsewhereIsNotSupported() {
        assertThat(problems("    r: {rateLimit: {average: 1, redis: {endpoints: [\"a:1\"]}}}\n"))
                .singleElement()
                .asString()
                .contains("redis: is not supported");
    }
}
