package io.fairlead.agent.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The agent follows its file while the application runs. */
final class ReloadIT {
    private static final String CALL = "get http://orders/x";

    @TempDir
    Path folder;

    private final List<AutoCloseable> closing = new ArrayList<>();
    private Backend one;
    private Backend two;
    private File file;
    private Jvm app;

    @BeforeEach
    void start() throws Exception {
        one = closing(Backend.start("one"));
        two = closing(Backend.start("two"));
        file = Configs.orders(folder, one.url());
        app = closing(Jvm.console("-javaagent:" + Jvm.agent() + "=" + file));
        assertThat(app.ask(CALL)).isEqualTo("200 one http://orders/x");
    }

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable each : closing) {
            each.close();
        }
    }

    @Test
    void aChangeTakesEffectAndIsSilent() throws Exception {
        Configs.orders(folder, two.url());

        Jvm.await().until(() -> app.ask(CALL).equals("200 two http://orders/x"));
        assertThat(app.ask(CALL, 4)).containsOnly("200 two http://orders/x");
        assertThat(app.agentLines()).isEmpty();
    }

    @Test
    void servicesThatComeAreRedirectedAndThoseThatLeftAreNot() throws Exception {
        assertThat(app.ask("get http://stock/x")).startsWith("! java.net.UnknownHostException");
        Configs.file(folder, Configs.service("stock", "", two.url()));

        Jvm.await().until(() -> app.ask("get http://stock/x").equals("200 two http://stock/x"));
        assertThat(app.ask(CALL)).startsWith("! java.net.UnknownHostException");
        assertThat(app.agentLines()).isEmpty();
    }

    @Test
    void aWrongContentIsToldWithItsLinesAndChangesNothing() throws Exception {
        Configs.file(
                folder, Configs.service("orders", "stratgy: wrr", two.url()) + "          - url: \"gopher://x\"\n");

        Jvm.await().until(() -> app.errorsWith("lb.yaml:").size() >= 2);
        assertThat(app.ask(CALL, 2)).containsOnly("200 one http://orders/x");
        assertThat(app.errorsWith("lb.yaml:"))
                .hasSize(2)
                .anyMatch(line -> line.startsWith(file + ":5: http.services.orders.loadBalancer.stratgy: "))
                .anyMatch(line -> line.startsWith(file + ":8: http.services.orders.loadBalancer.servers[1].url: "));

        Configs.orders(folder, two.url());
        Jvm.await().until(() -> app.ask(CALL).equals("200 two http://orders/x"));
        assertThat(app.errorsWith("lb.yaml:")).hasSize(2);
        assertThat(app.errorsWith("\tat ")).isEmpty();
    }

    @Test
    void aFileThatIsRemovedIsToldOnceAndChangesNothing() throws Exception {
        Files.delete(file.toPath());

        Jvm.await()
                .until(() -> !app.errorsWith("lb.yaml:1: there is no such file").isEmpty());
        Configs.orders(folder, two.url());
        Jvm.await().until(() -> app.ask(CALL).equals("200 two http://orders/x"));
        assertThat(app.errorsWith("lb.yaml")).hasSize(1);
    }

    @Test
    void serversThatTheAgentCannotUseAreLeftOutOfAChangeToo() throws Exception {
        Configs.orders(folder, "https://127.0.0.1:1", two.url(), one.url() + "/base");

        Jvm.await().until(() -> app.ask(CALL).equals("200 two http://orders/x"));
        assertThat(app.ask(CALL, 4)).containsOnly("200 two http://orders/x");
        assertThat(app.agentLines())
                .hasSize(2)
                .anyMatch(line -> line.contains("leaves server https://127.0.0.1:1 out"))
                .anyMatch(line -> line.contains("leaves server " + one.url() + "/base out"));
    }

    private <T extends AutoCloseable> T closing(T each) {
        closing.add(each);
        return each;
    }
}
