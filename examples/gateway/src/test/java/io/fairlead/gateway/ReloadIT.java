package io.fairlead.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ReloadIT {
    @TempDir
    Path directory;

    private Backend a;
    private Backend b;
    private Path file;
    private GatewayProcess gateway;

    @BeforeEach
    void start() throws Exception {
        a = Backend.named("a");
        b = Backend.named("b");
        file = Path.of(ConfigText.file(directory, ConfigText.service(a)));
        gateway = GatewayProcess.start("--config", file.toString(), "--port", "0");
    }

    @AfterEach
    void stop() {
        gateway.close();
        a.close();
        b.close();
    }

    @Test
    void aChangeOfTheServersTakesEffectAndLosesNoRequest() throws Exception {
        Set<Integer> statuses = new TreeSet<>();
        try (Wire wire = new Wire(gateway.http())) {
            assertThat(wire.get("/x").body()).startsWith("a ");

            replace(ConfigText.service(b));

            await().until(() -> {
                Wire.Answer answer = wire.get("/x");
                statuses.add(answer.status());
                return answer.body().startsWith("b ");
            });
        }
        assertThat(statuses).containsExactly(200);
        // The line comes after the change.
        await().until(() -> !gateway.err().isEmpty());
        assertThat(gateway.err().lines())
                .singleElement()
                .satisfies(line ->
                        assertThat(line).contains("[INFO]").endsWith(file + ": the new configuration is in effect"));
    }

    /** In one step: what is half written would be told of. */
    private void replace(String text) throws IOException {
        Path written = Files.writeString(file.resolveSibling(file.getFileName() + ".new"), text);
        Files.move(written, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    @Test
    void aChangeOfTheRoutesTakesEffect() throws Exception {
        String routes = "  routers:\n    app: {rule: \"PathPrefix(`/app`)\", service: app}\n";
        try (Wire wire = new Wire(gateway.http())) {
            assertThat(wire.get("/x").status()).isEqualTo(200);

            replace(ConfigText.service(a) + routes);

            await().until(() -> wire.get("/x").status() == 404);
            assertThat(wire.get("/app").status()).isEqualTo(200);
        }
    }

    @Test
    void aChangeWithAMistakeIsToldAndNothingOfItTakesEffect() throws Exception {
        String routes = "  routers:\n    app: {rule: \"PathPrefix(`/app`)\", service: nobody}\n";
        try (Wire wire = new Wire(gateway.http())) {
            replace(ConfigText.service(b) + routes);

            await().until(() -> !gateway.err().isEmpty());
            assertThat(gateway.err().lines())
                    .singleElement()
                    .satisfies(line -> assertThat(line).startsWith(file + ":8: http.routers.app.service: "));
            assertThat(wire.get("/x").body()).startsWith("a ");

            replace(ConfigText.service(b));

            await().until(() -> wire.get("/x").body().startsWith("b "));
        }
    }

    @Test
    void aFileThatIsRemovedIsToldInOneLineAndChangesNothing() throws Exception {
        try (Wire wire = new Wire(gateway.http())) {
            Files.delete(file);

            await().until(() -> !gateway.err().isEmpty());
            assertThat(wire.get("/x").body()).startsWith("a ");

            replace(ConfigText.service(b));

            await().until(() -> wire.get("/x").body().startsWith("b "));
        }
        await().until(() -> gateway.err().lines().count() > 1);
        assertThat(gateway.err().lines())
                .satisfiesExactly(
                        line -> assertThat(line)
                                .isEqualTo(file + ":1: there is no such file; the configuration stays as it was"),
                        line -> assertThat(line).endsWith(file + ": the new configuration is in effect"));
    }
}
