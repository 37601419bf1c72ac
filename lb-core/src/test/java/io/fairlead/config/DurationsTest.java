package io.fairlead.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class DurationsTest {
    @ParameterizedTest
    @CsvSource({
        "250ms, PT0.25S",
        "10s, PT10S",
        "1m, PT1M",
        "1h, PT1H",
        "1m30s, PT1M30S",
        "1h1m1s1ms, PT1H1M1.001S",
        "1.5s, PT1.5S",
        "90, PT1M30S",
        "0.25, PT0.25S",
        "0, PT0S",
        "0s, PT0S",
        "15us, PT0.000015S",
        "15µs, PT0.000015S",
        "7ns, PT0.000000007S",
        "8760h, PT8760H"
    })
    void aDurationIsANumberWithUnitsOrOfSeconds(String text, Duration duration) {
        assertThat(Durations.parse(text)).isEqualTo(duration);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "s",
                "ms",
                "-1s",
                "+1s",
                "1 s",
                "1d",
                "10S",
                "1M",
                "1e3",
                ".5s",
                "1.",
                "1s30",
                "1,5s",
                "PT1S",
                "8760h1ns",
                "99999999999999999999h",
                "1s1s1s1s1s1s1s1s1s1s1s1s1s1s1s1s1s1s1s1s1s1s1s1s1s1s1s1s1s1s1s1s1s"
            })
    void anythingElseIsNone(String text) {
        assertThat(Durations.parse(text)).isNull();
    }
}
