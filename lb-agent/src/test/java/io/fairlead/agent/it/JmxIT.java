package io.fairlead.agent.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The services are shown by JMX once somebody uses JMX. */
@Tag("thorough")
final class JmxIT {
    private static final String CALL = "get http://orders/x";

    @TempDir
    Path folder;

    private final List<AutoCloseable> closing = new ArrayList<>();
    private Backend a;
    private File file;

    @BeforeEach
    void start() throws Exception {
        a = closing(Backend.start("a"));
        file = Configs.file(
                folder,
                "http:\n  services:\n    orders:\n      loadBalancer:\n        servers:\n"
                        + "          - {url: \"" + a.url() + "\", weight: 3, zone: eu}\n"
                        + "    \"odd, name\": {failover: {service: orders, fallback: orders}}\n");
    }

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable each : closing) {
            each.close();
        }
    }

    @Test
    void whoAsksForTheServerFindsTheServicesInIt() throws Exception {
        Jvm app = closing(Jvm.console("-javaagent:" + Jvm.agent() + "=" + file));
        app.ask(CALL, 2);

        assertThat(app.ask("beans-so-far")).isEmpty();
        assertThat(app.ask("beans"))
                .contains(
                        "io.fairlead:name=orders,scheme=http,type=Service Name=orders Scheme=http Strategy=wrr Up=true"
                                + " InFlight=0 Waiting=0 Picks=2 Failures=0 [" + a.authority() + " url=" + a.url()
                                + " weight=3 zone=eu up=true fenced=false backup=false ejected=false inFlight=0 picks=2"
                                + " failures=0]")
                .contains("io.fairlead:name=\"odd, name\",scheme=http,type=Service Name=odd, name Scheme=http"
                        + " Strategy=failover Up=true");
        app.ask(CALL);
        assertThat(app.ask("beans")).contains("Picks=3");
        assertThat(app.agentLines()).isEmpty();
    }

    @Test
    void thoseOfHttpsAreApart() throws Exception {
        File mixed = Configs.orders(folder, a.url(), "https://127.0.0.1:9");
        Jvm app = closing(Jvm.console("-javaagent:" + Jvm.agent() + "=" + mixed));

        assertThat(app.ask("beans"))
                .contains("io.fairlead:name=orders,scheme=http,type=Service ")
                .contains("io.fairlead:name=orders,scheme=https,type=Service Name=orders Scheme=https ")
                .contains("[127.0.0.1:9 url=https://127.0.0.1:9 ");
    }

    @Test
    void theyFollowTheFile() throws Exception {
        Jvm app = closing(Jvm.console("-javaagent:" + Jvm.agent() + "=" + file));
        assertThat(app.ask("beans")).contains("name=orders,").doesNotContain("name=stock,");

        Configs.file(folder, Configs.service("stock", "", a.url()));
        Jvm.await().until(() -> app.ask("beans").startsWith("io.fairlead:name=stock,scheme=http,type=Service "));
        assertThat(app.ask("beans")).doesNotContain("orders").doesNotContain("odd");
        assertThat(app.agentLines()).isEmpty();
    }

    @Test
    void aServerThatTheJvmMakesForToolsHasThemToo() throws Exception {
        Jvm app = closing(Jvm.console("-javaagent:" + Jvm.agent() + "=" + file, "-Dcom.sun.management.jmxremote"));

        assertThat(app.ask("beans-so-far")).contains("io.fairlead:name=orders,scheme=http,type=Service ");
        assertThat(app.agentLines()).isEmpty();
    }

    @Test
    void anAgentThatIsAttachedFindsTheServerThatThereIs() throws Exception {
        org.junit.jupiter.api.Assumptions.assumeTrue(Jvm.canAttach(), "a JDK, not a bare runtime");
        Jvm app = closing(Jvm.console());
        assertThat(app.ask("beans")).isEqualTo("none");

        Jvm attach = closing(Jvm.java("-jar", Jvm.agent().getPath(), "attach", app.ask("pid"), file.getPath()));
        assertThat(attach.end()).isZero();
        assertThat(app.ask("beans-so-far")).contains("io.fairlead:name=orders,scheme=http,type=Service ");
        assertThat(app.agentLines()).isEmpty();
    }

    @Test
    void anOptionSwitchesItOff() throws Exception {
        Jvm app = closing(Jvm.console("-javaagent:" + Jvm.agent() + "=" + file, "-Dfairlead.jmx=off"));

        assertThat(app.ask(CALL)).startsWith("200 ");
        assertThat(app.ask("beans")).isEqualTo("none");
    }

    private <T extends AutoCloseable> T closing(T each) {
        closing.add(each);
        return each;
    }
}
