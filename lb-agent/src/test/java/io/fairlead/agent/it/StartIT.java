package io.fairlead.agent.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How the agent comes into a JVM, and that it stays out of the application's way whatever happens. */
final class StartIT {
    private static final String CALL = "get http://orders/x";

    @TempDir
    Path folder;

    private final List<AutoCloseable> closing = new ArrayList<>();
    private Backend server;

    @BeforeEach
    void startServer() throws IOException {
        server = closing(Backend.start("server"));
    }

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable each : closing) {
            each.close();
        }
    }

    @Test
    void thePropertyNamesTheFile() throws Exception {
        Jvm app = closing(Jvm.console(agent(), "-Dfairlead.config=" + Configs.orders(folder, server.url())));

        assertThat(app.ask(CALL)).startsWith("200 server");
        assertThat(app.end()).isZero();
        assertThat(app.errors()).isEmpty();
        assertThat(app.output()).hasSize(1);
    }

    @Test
    void theEnvironmentNamesTheFile() throws Exception {
        ProcessBuilder command = Jvm.command("java", agent(), "-cp", "target/test-classes", "app.Console");
        command.environment()
                .put("FAIRLEAD_CONFIG", Configs.orders(folder, server.url()).getPath());
        Jvm app = closing(Jvm.start(command));

        assertThat(app.ask(CALL)).startsWith("200 server");
        assertThat(app.end()).isZero();
        assertThat(app.errors()).isEmpty();
    }

    @Test
    void withoutAFileOneLineIsSaidAndTheApplicationRuns() throws Exception {
        assertOff(closing(Jvm.console(agent())), 1);
    }

    @Test
    void aMissingFileIsNamedAndTheApplicationRuns() throws Exception {
        Jvm app = closing(Jvm.console(agent() + "=/no/such/file.yaml"));
        assertOff(app, 1);
        assertThat(app.errors()).hasSize(1).allMatch(line -> line.contains("/no/such/file.yaml:1: "));
    }

    @Test
    void everyProblemOfABrokenFileIsNamedAndTheApplicationRuns() throws Exception {
        File file = Configs.file(folder, broken());
        Jvm app = closing(Jvm.console(agent() + "=" + file));
        assertOff(app, 1);
        assertThat(app.errorsWith(file + ":5: http.services.orders.loadBalancer.stratgy: "))
                .hasSize(1);
        assertThat(app.errorsWith(file + ":7: ")).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\u0000", "[", "- 1", "http:", "http: 3", "%YAML 9.9\n---\na: &a [*a]", "\t"})
    void noContentOfAFileStopsTheApplication(String content) throws Exception {
        assertOff(closing(Jvm.console(agent() + "=" + Configs.file(folder, content))), 1);
    }

    @Test
    void anOptionThatCannotBeTheNameOfAFieldIsToldAndNoneIsAdded() throws Exception {
        File file = Configs.orders(folder, server.url());
        Jvm app = closing(Jvm.console(agent() + "=" + file, "-Dfairlead.serverHeader=a b"));

        assertThat(app.ask(CALL)).startsWith("200 server");
        assertThat(app.agentLines()).hasSize(1).allMatch(line -> line.contains("-Dfairlead.serverHeader=a b: "));
        assertThat(server.only().fields).noneMatch(field -> field.contains(server.authority()));
    }

    @Test
    void nothingOfTheAgentIsVisibleToTheApplication() throws Exception {
        Jvm app = closing(Jvm.underAgent(Configs.orders(folder, server.url())));
        assertThat(app.ask(CALL)).startsWith("200 server");

        for (String name : new String[] {
            "io.fairlead.LoadBalancer",
            "io.fairlead.agent.Agent",
            "io.fairlead.agent.urlconnection.UrlConnectionClient",
            "net.bytebuddy.ByteBuddy",
            "org.slf4j.Logger",
            "org.slf4j.LoggerFactory",
            "org.snakeyaml.engine.v2.api.Load",
            "org.jspecify.annotations.Nullable"
        }) {
            assertThat(app.ask("class " + name)).as(name).isEqualTo("hidden");
        }
        assertThat(app.ask("class app.Console")).isEqualTo("visible");
        assertThat(app.ask("resource /net/bytebuddy/ByteBuddy.class")).isEqualTo("hidden");
        assertThat(app.ask("resource /org/slf4j/Logger.class")).isEqualTo("hidden");
    }

    @Test
    void aSecurityManagerThatForbidsTheAgentDoesNotStopTheApplication() throws Exception {
        assumeTrue(hasSecurityManager(), "Java 8 to 17");
        Jvm app = closing(Jvm.console(secured("", agent() + "=" + Configs.orders(folder, server.url()))));

        assertThat(app.ask("class app.Console")).isEqualTo("visible");
        assertThat(app.errorsWith("fairlead: the agent is off")).hasSize(1);
    }

    @Test
    void norDoesOneWithTheJdksOwnPolicy() throws Exception {
        assumeTrue(hasSecurityManager(), "Java 8 to 17");
        File file = Configs.orders(folder, server.url());
        Jvm app = closing(Jvm.console("-Djava.security.manager", agent() + "=" + file));

        assertThat(app.ask("class app.Console")).isEqualTo("visible");
        assertThat(app.errorsWith("fairlead: the agent is off")).hasSize(1);
    }

    @Test
    void underASecurityManagerTheAgentNeedsItsPermissionsAndTheApplicationThoseForTheServers() throws Exception {
        assumeTrue(hasSecurityManager(), "Java 8 to 17");
        String grants = "grant codeBase \"" + Jvm.agent().toURI() + "\" {permission java.security.AllPermission;};\n"
                + "grant {permission java.net.SocketPermission \"127.0.0.1:1024-\", \"connect,resolve\";};\n";
        Jvm app = closing(Jvm.console(secured(grants, agent() + "=" + Configs.orders(folder, server.url()))));

        assertThat(app.ask(CALL, 2)).containsOnly("200 server http://orders/x");
        assertThat(app.agentLines()).isEmpty();
    }

    @Test
    void toolsOfTheJdkAreLeftAlone() throws Exception {
        String options = agent() + "=" + Configs.file(folder, broken());
        for (String[] tool : new String[][] {
            {"java", "-version"}, {"java", "-help"}, {"keytool", "-help"}, {"javac", "-version"}, {"jps", "-help"}
        }) {
            File program = new File(Jvm.home(), "bin/" + tool[0]);
            if (!program.exists()) {
                continue;
            }
            ProcessBuilder plain = Jvm.command(tool[0], tool[1]);
            Jvm without = closing(Jvm.start(plain));
            ProcessBuilder command = Jvm.command(tool[0], tool[1]);
            command.environment().put("JAVA_TOOL_OPTIONS", options);
            Jvm with = closing(Jvm.start(command));

            assertThat(with.end()).as(tool[0]).isEqualTo(without.end());
            assertThat(with.output()).as(tool[0]).isEqualTo(without.output());
            with.errors().removeIf(line -> line.startsWith("Picked up JAVA_TOOL_OPTIONS"));
            assertThat(with.errors()).as(tool[0]).isEqualTo(without.errors());
        }
    }

    @Test
    void anApplicationGetsTheAgentByToolOptions() throws Exception {
        ProcessBuilder command = Jvm.command("java", "-cp", "target/test-classes", "app.Console");
        command.environment().put("JAVA_TOOL_OPTIONS", agent() + "=" + Configs.orders(folder, server.url()));

        assertThat(closing(Jvm.start(command)).ask(CALL)).startsWith("200 server");
    }

    @Test
    void aSecondAgentSaysOneLineAndDoesNoHarm() throws Exception {
        File file = Configs.orders(folder, server.url());
        Path copy = Files.copy(Jvm.agent().toPath(), folder.resolve("a-copy.jar"));
        Jvm app = closing(Jvm.console(agent() + "=" + file, agent() + "=" + file, "-javaagent:" + copy + "=" + file));

        assertThat(app.ask(CALL, 2)).containsOnly("200 server http://orders/x");
        assertThat(app.end()).isZero();
        assertThat(app.errors()).hasSize(2).allMatch(line -> line.contains("second"));
        assertThat(server.requests()).hasSize(2);
    }

    @Test
    void attachingBringsTheAgentIntoARunningApplication() throws Exception {
        assumeTrue(Jvm.canAttach(), "a JDK, not a bare runtime");
        String file = Configs.orders(folder, server.url()).getPath();
        Jvm app = closing(Jvm.console());
        assertThat(app.ask("get " + server.url() + "/before")).startsWith("200 server");
        assertThat(app.ask(CALL)).startsWith("! java.net.UnknownHostException");
        String pid = app.ask("pid");

        Jvm first = command("attach", pid, file);
        assertThat(first.end()).isZero();
        assertThat(first.errors()).isEmpty();
        assertThat(app.ask(CALL)).isEqualTo("200 server http://orders/x");

        Jvm second = command("attach", pid, file);
        assertThat(second.end()).isEqualTo(1);
        assertThat(second.errors()).hasSize(1).allMatch(line -> line.contains("second"));
        assertThat(app.ask(CALL)).isEqualTo("200 server http://orders/x");
        assertThat(app.agentLines()).hasSize(1);
    }

    @Test
    void theAgentTellsWhatItDoesWhenAsked() throws Exception {
        assumeTrue(Jvm.canAttach(), "a JDK, not a bare runtime");
        String file = Configs.orders(folder, server.url()).getPath();
        Jvm app = closing(Jvm.console(agent() + "=" + file));
        app.ask(CALL, 2);

        Jvm status = command("status", app.ask("pid"));
        assertThat(status.end()).isZero();
        assertThat(status.errors()).isEmpty();
        assertThat(status.output())
                .contains(
                        "configuration: " + file,
                        "  HttpURLConnection: hooked",
                        "  OkHttp: not used so far",
                        "  http://orders by wrr",
                        "    " + server.authority() + ": up, 2 requests, 0 in flight, 0 failures");
        assertThat(app.agentLines()).isEmpty();
        assertThat(app.ask(CALL)).startsWith("200 ");

        Jvm without = closing(Jvm.console());
        Jvm nothing = command("status", without.ask("pid"));
        assertThat(nothing.end()).isEqualTo(1);
        assertThat(nothing.output()).isEmpty();
        assertThat(nothing.errors()).hasSize(1).allMatch(line -> line.contains("no agent is at work"));
        assertThat(without.errorsWith("fairlead")).isEmpty();
    }

    @Test
    void attachingToNothingFailsWithOneLine() throws Exception {
        String file = Configs.orders(folder, server.url()).getPath();
        for (Jvm attach : new Jvm[] {
            command("attach", "2147483646", file),
            command("attach", "not-a-pid", file),
            command("attach", "1", "/no/file")
        }) {
            assertThat(attach.end()).isEqualTo(1);
            assertThat(attach.errors()).hasSize(1);
            assertThat(attach.output()).isEmpty();
        }
    }

    @Test
    void checkIsSilentAboutAGoodFile() throws Exception {
        Jvm check = command("check", Configs.orders(folder, server.url()).getPath());

        assertThat(check.end()).isZero();
        assertThat(check.errors()).isEmpty();
        assertThat(check.output()).isEmpty();
    }

    @Test
    void checkNamesEveryProblem() throws Exception {
        File file = Configs.file(folder, broken());
        Jvm check = command("check", file.getPath());

        assertThat(check.end()).isEqualTo(2);
        assertThat(check.errors())
                .hasSize(2)
                .anyMatch(line -> line.startsWith(file + ":5: http.services.orders.loadBalancer.stratgy: "))
                .anyMatch(line -> line.startsWith(file + ":7: "));
        assertThat(check.output()).isEmpty();
    }

    @Test
    void checkOfAMissingFileIsWrong() throws Exception {
        Jvm check = command("check", "/no/such/file.yaml");

        assertThat(check.end()).isEqualTo(2);
        assertThat(check.errors()).hasSize(1).allMatch(line -> line.startsWith("/no/such/file.yaml:1: "));
    }

    @Test
    void anythingElseIsAnsweredByTheUsage() throws Exception {
        for (Jvm usage : new Jvm[] {command(), command("chek", "x"), command("attach", "1")}) {
            assertThat(usage.end()).isEqualTo(2);
            assertThat(usage.errors()).anyMatch(line -> line.contains("check FILE"));
            assertThat(usage.output()).isEmpty();
        }
    }

    /** The application runs as without the agent, and the agent's last word says that it is off. */
    private void assertOff(Jvm app, int lines) throws Exception {
        Jvm without = closing(Jvm.console());
        assertThat(app.ask(CALL)).isEqualTo(without.ask(CALL)).startsWith("! java.net.UnknownHostException");
        assertThat(app.ask("get " + server.url() + "/x")).startsWith("200 server");
        assertThat(app.end()).isEqualTo(without.end());
        assertThat(app.output()).hasSize(2);
        assertThat(app.errorsWith("fairlead: the agent is off")).hasSize(lines);
        assertThat(app.errorsWith("\tat ")).isEmpty();
    }

    private static String broken() {
        return "http:\n  services:\n    orders:\n      loadBalancer:\n        stratgy: wrr\n        servers:\n"
                + "          - url: \"gopher://x\"\n";
    }

    private static boolean hasSecurityManager() {
        String version = System.getProperty("java.specification.version");
        return version.startsWith("1.") || Integer.parseInt(version) <= 17;
    }

    /** Options that put a security manager in force, under which the application may call the service and no more. */
    private String[] secured(String grants, String agent) throws IOException {
        String policy = grants + "grant {permission java.net.URLPermission \"http://orders/*\", \"GET:*\";};\n";
        Path file = Files.write(folder.resolve("policy"), policy.getBytes(StandardCharsets.UTF_8));
        return new String[] {"-Djava.security.manager", "-Djava.security.policy==" + file, agent};
    }

    private static String agent() {
        return "-javaagent:" + Jvm.agent();
    }

    private Jvm command(String... arguments) throws IOException {
        List<String> words = new ArrayList<>();
        words.add("-jar");
        words.add(Jvm.agent().getPath());
        for (String argument : arguments) {
            words.add(argument);
        }
        return closing(Jvm.java(words.toArray(new String[0])));
    }

    private <T extends AutoCloseable> T closing(T each) {
        closing.add(each);
        return each;
    }
}
