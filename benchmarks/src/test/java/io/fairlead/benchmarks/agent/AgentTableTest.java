package io.fairlead.benchmarks.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AgentTableTest {
    @Test
    void agentsAreComparedWithNone() {
        Map<Variant, Costs> measured = new LinkedHashMap<>();
        measured.put(new Variant(Variant.NONE, List.of(), 0), costs(50, 30_000, 31_000, 8_000, 8_100));
        measured.put(new Variant(Variant.OURS, List.of(), 5 << 20), costs(250, 40_240, 51_480, 8_150, 10_100));

        assertThat(new AgentTable("benchmarks/run agent", "a machine", measured).page())
                .contains(
                        "Written by `benchmarks/run agent`",
                        "Measured on: a machine",
                        "| | no agent | Fairlead |\n",
                        "| start, ms | 50 ± 1 | 250 ± 1 |\n",
                        "| | Fairlead | bound |\n",
                        "| start, ms | 200 | 350 |\n",
                        "| memory, MiB | 10.0 | 25 |\n",
                        "| memory after calls, MiB | 20.0 | 25 |\n",
                        "| call to a foreign host, ns | 150 | 200 |\n",
                        "| balanced call, ns | 2000 | 5000 |\n",
                        "| jar, MiB | 5.0 | 8 |\n");
    }

    private static Costs costs(double start, double resident, double after, double foreign, double balanced) {
        return new Costs(
                new Figure(List.of(start - 1, start, start + 1, start - 1, start + 1)),
                new Figure(List.of(resident)),
                new Figure(List.of(after)),
                new Figure(List.of(foreign)),
                new Figure(List.of(balanced)));
    }
}
