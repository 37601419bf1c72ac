package io.fairlead.agent.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every client under both agents, ours and OpenTelemetry's, whichever comes first. */
@Tag("long")
final class OpenTelemetryIT {
    private static final String OTHER = "io.opentelemetry.javaagent:opentelemetry-javaagent:2.10.0";

    @TempDir
    Path folder;

    @ParameterizedTest
    @MethodSource("io.fairlead.agent.it.Cell#newestOverHttp1")
    void callsAreBalancedWhenOursComesFirst(Cell cell) throws Exception {
        check(cell, true);
    }

    @ParameterizedTest
    @MethodSource("io.fairlead.agent.it.Cell#newestOverHttp1")
    void callsAreBalancedWhenOursComesSecond(Cell cell) throws Exception {
        check(cell, false);
    }

    private void check(Cell cell, boolean first) throws Exception {
        try (Orders orders = Orders.in(folder)) {
            List<String> options = new ArrayList<>();
            options.add("-javaagent:" + Cell.jar(OTHER));
            options.add(first ? 0 : 1, orders.agent());
            Collections.addAll(
                    options,
                    "-Dotel.traces.exporter=logging",
                    "-Dotel.metrics.exporter=none",
                    "-Dotel.logs.exporter=none",
                    "-cp",
                    cell.classPath(),
                    "app.client." + cell.program);
            try (Jvm app = Jvm.java(options.toArray(new String[0]))) {
                orders.assertReachedBy(app);
                // Both have seen the call: the other one has sent its context along.
                assertThat(orders.a.requests().get(0).field("Host")).isEqualTo("orders");
                assertThat(orders.a.requests().get(0).field("traceparent")).isNotEmpty();
            }
        }
    }
}
