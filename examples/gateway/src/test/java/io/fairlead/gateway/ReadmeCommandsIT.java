package io.fairlead.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each command of the README runs, with free ports in the place of its own, its configuration in that of {@code lb.yaml},
 * and an application that asks for {@code http://orders/} in that of {@code app.jar}.
 */
final class ReadmeCommandsIT {
    private static final String GATEWAY = "java -jar examples/gateway/target/gateway.jar";
    private static final String AGENT = "lb-agent/target/lb-agent.jar";

    @TempDir
    Path directory;

    private String config;

    @BeforeEach
    void writeTheConfiguration() throws Exception {
        config = Files.writeString(
                        directory.resolve("lb.yaml"), Readme.blocks("yaml").get(0))
                .toString();
    }

    @TestFactory
    List<DynamicTest> everyCommandRuns() throws Exception {
        List<DynamicTest> tests = new ArrayList<>();
        for (String block : Readme.blocks("sh")) {
            block.lines().forEach(command -> tests.add(DynamicTest.dynamicTest(command, () -> run(command))));
        }
        return tests;
    }

    private void run(String command) throws Exception {
        if (command.equals("mvn -q -DskipTests package && " + GATEWAY)) {
            // The first half built what this test runs in; that it is there, and starts, is the second half.
            assertThat(Readme.ROOT.resolve("examples/gateway/target/gateway.jar"))
                    .isEqualTo(GatewayProcess.JAR);
            GatewayProcess.start("--port", "0").close();
        } else if (command.equals("mvn verify")) {
            // It runs this test; that the project's own check runs it too is what can be seen from here.
            assertThat(Files.readString(Readme.ROOT.resolve(".ci/run")))
                    .containsPattern("(?m)^\"\\$\\{maven\\[@]}\" verify( |$)");
        } else if (command.startsWith(GATEWAY + " ")) {
            runGateway(words(command).subList(3, words(command).size()));
        } else if (command.startsWith("curl ")) {
            runCurl(words(command));
        } else if (command.startsWith("java ") && command.contains(AGENT)) {
            runAgent(words(command));
        } else {
            throw new AssertionError("no test runs: " + command);
        }
    }

    private void runGateway(List<String> arguments) throws Exception {
        TestIdentity identity = arguments.contains("chain.pem") ? TestIdentity.make(directory, "it", "EC") : null;
        List<String> words = new ArrayList<>();
        for (String argument : arguments) {
            words.add(
                    switch (argument) {
                        case "lb.yaml" -> config;
                        case "chain.pem" -> identity.cert.toString();
                        case "key.pem" -> identity.key.toString();
                        case "8080", "8443", "9090" -> "0";
                        default -> argument;
                    });
        }
        if (words.contains("--check")) {
            assertThat(GatewayProcess.run(words.toArray(String[]::new)).status())
                    .isZero();
            return;
        }
        if (!words.contains("--port")) {
            words.addAll(List.of("--port", "0"));
        }
        try (GatewayProcess gateway = GatewayProcess.start(words.toArray(String[]::new))) {
            assertThat(gateway.err()).isEmpty();
        }
    }

    /** The port 8080 is that of the demo, 9090 the admin port beside the configuration. */
    private void runCurl(List<String> words) throws Exception {
        URI url = URI.create(words.get(words.size() - 1));
        boolean admin = url.getPort() == 9090;
        String method = words.size() == 2 ? "GET" : words.get(2);
        try (GatewayProcess gateway = admin
                        ? GatewayProcess.start("--config", config, "--port", "0", "--admin-port", "0")
                        : GatewayProcess.start("--port", "0");
                Wire wire = new Wire(admin ? gateway.admin() : gateway.http())) {
            Wire.Answer answer = wire.exchange(
                    method + " " + url.getPath() + " HTTP/1.1\r\nHost: " + url.getAuthority() + "\r\n\r\n");
            assertThat(answer.status()).isBetween(200, 299);
        }
    }

    private void runAgent(List<String> words) throws Exception {
        try (Backend backend = Backend.named("server")) {
            String reachable = Files.readString(Path.of(config)).replace("http://10.0.0.1:8080", backend.url());
            Path file = Files.writeString(directory.resolve("reachable.yaml"), reachable);
            Path app = OrdersApp.jar(directory);
            List<String> command = new ArrayList<>();
            for (String word : words) {
                command.add(word.replace(AGENT, Readme.ROOT.resolve(AGENT).toString())
                        .replace("lb.yaml", file.toString())
                        .replace("app.jar", app.toString()));
            }
            command.set(
                    0, Path.of(System.getProperty("java.home"), "bin", "java").toString());

            Process process = new ProcessBuilder(command)
                    .redirectError(directory.resolve("err").toFile())
                    .start();
            String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

            assertThat(process.waitFor()).isZero();
            assertThat(Files.readString(directory.resolve("err"))).isEmpty();
            assertThat(out).isEqualTo(words.contains("-jar") && words.contains("check") ? "" : OrdersApp.OUTPUT);
        }
    }

    private static List<String> words(String command) {
        return List.of(command.split(" ", -1));
    }
}
