package io.fairlead.agent.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
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

    static Stream<Cell> clients() throws IOException {
        // Its servers speak HTTP/1.1 only.
        return Cell.all(true).stream().filter(cell -> !cell.isHttp2());
    }

    @ParameterizedTest
    @MethodSource("clients")
    void callsAreBalancedWhenOursComesFirst(Cell cell) throws Exception {
        check(cell, true);
    }

    @ParameterizedTest
    @MethodSource("clients")
    void callsAreBalancedWhenOursComesSecond(Cell cell) throws Exception {
        check(cell, false);
    }

    private void check(Cell cell, boolean first) throws Exception {
        try (Backend a = Backend.start("a");
                Backend b = Backend.start("b")) {
            File file = Configs.orders(folder, a.url(), "http://127.0.0.1:" + Backend.deadPort(), b.url());
            List<String> options = new ArrayList<>();
            options.add("-javaagent:" + Cell.jar(OTHER));
            options.add(first ? 0 : 1, "-javaagent:" + Jvm.agent() + "=" + file);
            Collections.addAll(
                    options,
                    "-Dotel.traces.exporter=logging",
                    "-Dotel.metrics.exporter=none",
                    "-Dotel.logs.exporter=none",
                    "-cp",
                    cell.classPath(),
                    "app.client." + cell.program);
            try (Jvm app = Jvm.java(options.toArray(new String[0]))) {
                assertThat(app.ask("get http://orders/x", 4))
                        .containsOnly("200 a http://orders/x", "200 b http://orders/x")
                        .contains("200 a http://orders/x", "200 b http://orders/x");
                assertThat(app.ask("post http://orders/x 10", 4)).allMatch(answer -> answer.startsWith("200 "));
                assertThat(app.agentLines()).isEmpty();
                // Both have seen the call: the other one has sent its context along.
                assertThat(a.requests().get(0).field("Host")).isEqualTo("orders");
                assertThat(a.requests().get(0).field("traceparent")).isNotEmpty();
            }
        }
    }
}
