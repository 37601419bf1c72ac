package io.fairlead.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class DemoIT {
    @Test
    void withoutAConfigurationThreeBackendsAnswerInTurn() throws Exception {
        try (GatewayProcess gateway = GatewayProcess.start("--port", "0");
                Wire wire = new Wire(gateway.http())) {
            List<String> answers = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                Wire.Answer answer = wire.get("/hello?n=" + i);
                assertThat(answer.status()).isEqualTo(200);
                answers.add(answer.body());
            }

            assertThat(answers)
                    .containsExactly(
                            "backend-1 (1 ms): GET /hello?n=0\n",
                            "backend-2 (20 ms): GET /hello?n=1\n",
                            "backend-3 (80 ms): GET /hello?n=2\n",
                            "backend-1 (1 ms): GET /hello?n=3\n",
                            "backend-2 (20 ms): GET /hello?n=4\n",
                            "backend-3 (80 ms): GET /hello?n=5\n");
        }
    }

    @Test
    void standardOutputIsTheLineOfItsAddressAlone() throws Exception {
        try (GatewayProcess gateway = GatewayProcess.start("--port", "0")) {
            assertThat(gateway.out()).matches("fairlead listening on http://127\\.0\\.0\\.1:[1-9][0-9]*\n");
            assertThat(gateway.err()).startsWith("demo, as no --config is given: backend-1 (1 ms) on ");
        }
    }
}
