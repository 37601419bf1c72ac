package io.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ViaTest {
    private static boolean goesRound(String... values) {
        return Via.goesRound(Collections.enumeration(List.of(values)), "edge");
    }

    @Test
    void aNameMayStandThereFourTimesAndNotFive() {
        assertThat(goesRound("1.1 edge, 1.1 edge, 2.0 edge", "1.1 edge")).isFalse();
        assertThat(goesRound("1.1 edge, 1.1 edge, 2.0 edge", "1.1 edge, HTTP/1.1 EDGE"))
                .isTrue();
        assertThat(Via.goesRound(null, "edge")).isFalse();
    }

    /** Forms of RFC 9110, 7.6.3 and 5.6.5, and what is none. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "1.1 edge",
                "\t 1.1\tedge ",
                "1.1 edge (Fairlead (a, b) 1.0)",
                "1.1 edge(c)",
                "1.1 other (1.1 edge), 1.1 edge (\\) , 1.1 edge)",
                "1.1 edge (without an end, 1.1 edge",
                ",, 1.1 edge ,,",
            })
    void oneElementIsCountedOnce(String value) {
        List<String> four = new ArrayList<>(Collections.nCopies(4, value));
        assertThat(Via.goesRound(Collections.enumeration(four), "edge")).isFalse();
        four.add("1.1 edge");
        assertThat(Via.goesRound(Collections.enumeration(four), "edge")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "edge",
                "1.1 edge-2",
                "1.1 my-edge",
                "1.1 edge:8080",
                "1.1 (edge)",
                "1.1 other (1.1 edge)",
                "("
            })
    void othersAreNotCounted(String value) {
        assertThat(Via.goesRound(Collections.enumeration(Collections.nCopies(9, value)), "edge"))
                .isFalse();
    }
}
