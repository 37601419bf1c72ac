package io.fairlead.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class NearestTest {
    private static final List<String> KNOWN =
            Arrays.asList("url", "weight", "fenced", "backup", "zone", "id", "loadBalancer", "healthCheck");

    @ParameterizedTest
    @CsvSource({
        "ulr, url",
        "uri, url",
        "weigth, weight",
        "wight, weight",
        "LOADBALENCER, loadBalancer",
        "load-balancer, loadBalancer",
        "health_checks, healthCheck",
        "fence, fenced"
    })
    void aMisspeltWordIsFound(String word, String known) {
        assertThat(Nearest.of(word, KNOWN)).isEqualTo(known);
    }

    @ParameterizedTest
    @CsvSource({
        "foo",
        "host",
        "priority",
        "x",
        "balancer",
        "loadBalancerOfTheServersWithAVeryLongNameThatNobodyWouldWriteByMistake"
    })
    void aStrangeWordIsNot(String word) {
        assertThat(Nearest.of(word, KNOWN)).isNull();
    }

    @Test
    void amongSeveralTheNearestIsTaken() {
        assertThat(Nearest.of("orders2", Arrays.asList("ordersXY", "orders1", "order")))
                .isEqualTo("orders1");
    }
}
