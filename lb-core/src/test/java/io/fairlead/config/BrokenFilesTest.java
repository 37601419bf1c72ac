package io.fairlead.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** What is told of a broken file, word for word: the table stands in {@code broken.txt}. */
final class BrokenFilesTest {
    @TestFactory
    List<DynamicTest> eachMistakeIsToldWithItsLine() {
        List<DynamicTest> tests = new ArrayList<>();
        String[] cases = Resources.text("broken.txt").split("(?m)^=== ", -1);
        for (int i = 1; i < cases.length; i++) {
            String[] parts = cases[i].split("(?m)^---$", -1);
            String name = parts[0].substring(0, parts[0].indexOf('\n'));
            String yaml = parts[0].substring(name.length() + 1)
                    .replaceAll("(?m)^\\\\t", "\t")
                    .replaceAll("(?m)^---- ?$", "---");
            String told = parts[1].trim();
            tests.add(DynamicTest.dynamicTest(name, () -> check(yaml, told)));
        }
        assertThat(tests).hasSizeGreaterThan(50);
        return tests;
    }

    private static void check(String yaml, String told) {
        ConfigFile file = ConfigFile.parse("lb.yaml", yaml);
        assertThat(file.problems().toString()).isEqualTo("lb.yaml:" + told.replace("\n", "\nlb.yaml:"));
        assertThatThrownBy(file::throwIfBroken)
                .isInstanceOf(ConfigException.class)
                .hasMessage(file.problems().toString());
    }

    @Test
    void fiveMistakesAreFiveLines() {
        ConfigFile file = ConfigFile.parse("lb.yaml", Resources.text("five-mistakes.yaml"));

        assertThat(file.problems().list()).extracting(ConfigProblem::line).containsExactly(4, 10, 11, 12, 14);
    }

    @Test
    void theProblemsOfAnExceptionAreThoseOfTheFile() {
        ConfigFile file = ConfigFile.parse("lb.yaml", Resources.text("five-mistakes.yaml"));

        assertThatThrownBy(file::throwIfBroken)
                .isInstanceOfSatisfying(
                        ConfigException.class,
                        e -> assertThat(e.problems()).isEqualTo(file.problems().list()));
    }

    @Test
    void thousandsOfMistakesAreToldInPart() {
        StringBuilder yaml = new StringBuilder("http:\n  services:\n    a:\n      loadBalancer:\n        servers:\n");
        for (int i = 0; i < 5000; i++) {
            yaml.append("          - {}\n");
        }

        List<ConfigProblem> problems =
                ConfigFile.parse("lb.yaml", yaml.toString()).problems().list();

        assertThat(problems).hasSize(1001);
        assertThat(problems.get(1000)).hasToString("lb.yaml:1006: there is more than these 1000");
    }
}
