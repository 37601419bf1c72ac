package io.fairlead.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.ServiceSettings;
import io.fairlead.config.ConfigFile;
import io.fairlead.config.LoadBalancerSpec;
import io.fairlead.health.HealthCheck;
import io.fairlead.health.PassiveHealthCheck;
import io.fairlead.strategy.Strategies;
import io.fairlead.strategy.StrategyOptions;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** What the README shows is so: each command runs, each snippet compiles, the configuration is accepted as it stands. */
final class ReadmeIT {
    /** What a reader's class has around a snippet. */
    private static final String AROUND = """
            import io.fairlead.*;
            import io.fairlead.okhttp.*;
            import io.fairlead.servlet.*;
            import jakarta.servlet.*;
            import java.nio.file.*;
            import java.util.*;
            import okhttp3.*;

            class Snippet {
                void run(ServletContext servletContext) throws Exception {
            %s
                }
            }
            """;

    @TempDir
    Path directory;

    private String config;

    @BeforeEach
    void writeTheConfiguration() throws Exception {
        assertThat(Readme.blocks("yaml")).hasSize(1);
        config = Files.writeString(
                        directory.resolve("lb.yaml"), Readme.blocks("yaml").get(0))
                .toString();
    }

    @Test
    void theConfigurationHasNoMistakeAndNothingWithoutEffect() throws Exception {
        GatewayProcess check = GatewayProcess.run("--config", config, "--check");

        assertThat(check.err()).isEmpty();
        assertThat(check.status()).isZero();
    }

    @Test
    void whatTheConfigurationCallsDefaultsAreThem() {
        LoadBalancerSpec orders =
                (LoadBalancerSpec) ConfigFile.read(Path.of(config)).services().get(0);

        assertThat(orders.strategy()).isEqualTo("wrr");
        assertThat(orders.options()).isEqualTo(StrategyOptions.DEFAULT);
        assertThat(orders.settings()).isEqualTo(ServiceSettings.DEFAULT);
        assertThat(orders.healthCheck())
                .isEqualTo(HealthCheck.builder().path("/healthz").build());
        assertThat(orders.passiveHealthCheck())
                .isEqualTo(PassiveHealthCheck.builder().build());
    }

    @Test
    void everyStrategyIsNamed() throws Exception {
        String readme = Files.readString(Readme.ROOT.resolve("README.md"));

        assertThat(Strategies.names()).allSatisfy(name -> assertThat(readme).contains('`' + name + '`'));
    }

    @Test
    void theDescriptorIsThatOfTheExample() throws Exception {
        String webXml = Files.readString(Readme.ROOT.resolve("examples/webxml/src/main/webapp/WEB-INF/web.xml"));

        for (String block : Readme.blocks("xml")) {
            assertThat(webXml).containsIgnoringWhitespaces(block);
        }
    }

    @TestFactory
    List<DynamicTest> everySnippetCompiles() throws Exception {
        return Readme.blocks("java").stream()
                .map(snippet -> DynamicTest.dynamicTest(
                        snippet.lines().findFirst().orElseThrow(),
                        () -> assertThat(problems(snippet)).isEmpty()))
                .toList();
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
        String jar = "java -jar examples/gateway/target/gateway.jar";
        if (command.equals("mvn -q -DskipTests package && " + jar)) {
            // The first half built what this test runs in; that it is there, and starts, is the second half.
            assertThat(Readme.ROOT.resolve("examples/gateway/target/gateway.jar"))
                    .isEqualTo(GatewayProcess.JAR);
            GatewayProcess.start("--port", "0").close();
        } else if (command.equals("mvn verify")) {
            // It runs this test; that the project's own check runs it too is what can be seen from here.
            assertThat(Files.readString(Readme.ROOT.resolve(".ci/run"))).contains("\"${maven[@]}\" verify\n");
        } else if (command.startsWith(jar + " ")) {
            runGateway(command.substring(jar.length() + 1));
        } else if (command.startsWith("curl ")) {
            runCurl(command.split(" ", -1));
        } else {
            throw new AssertionError("no test runs: " + command);
        }
    }

    private void runGateway(String arguments) throws Exception {
        String[] words = arguments.split(" ", -1);
        TestIdentity identity = TestIdentity.make(Files.createTempDirectory(directory, "tls"), "it", "EC");
        for (int i = 0; i < words.length; i++) {
            words[i] = switch (words[i]) {
                case "lb.yaml" -> config;
                case "chain.pem" -> identity.cert.toString();
                case "key.pem" -> identity.key.toString();
                case "8443", "8080", "9090" -> "0";
                default -> words[i];
            };
        }
        if (Arrays.asList(words).contains("--check")) {
            assertThat(GatewayProcess.run(words).status()).isZero();
            return;
        }
        // A line that leaves the port out means the one that may be taken here.
        String[] free = Arrays.copyOf(words, words.length + 2);
        free[words.length] = "--port";
        free[words.length + 1] = "0";
        try (GatewayProcess gateway = GatewayProcess.start(arguments.contains("--port") ? words : free)) {
            assertThat(gateway.out()).contains("fairlead listening on http://127.0.0.1:");
        }
    }

    /** The port 8080 is that of the demo, 9090 the admin port beside the configuration. */
    private void runCurl(String... words) throws Exception {
        URI url = URI.create(words[words.length - 1]);
        boolean admin = url.getPort() == 9090;
        String method = words.length == 2 ? "GET" : words[2];
        try (GatewayProcess gateway = admin
                        ? GatewayProcess.start("--config", config, "--port", "0", "--admin-port", "0")
                        : GatewayProcess.start("--port", "0");
                Wire wire = new Wire(admin ? gateway.admin() : gateway.http())) {
            Wire.Answer answer = wire.exchange(
                    method + " " + url.getPath() + " HTTP/1.1\r\nHost: " + url.getAuthority() + "\r\n\r\n");
            assertThat(answer.status()).isBetween(200, 299);
        }
    }

    private List<String> problems(String snippet) throws Exception {
        JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
        JavaFileObject source =
                new SimpleJavaFileObject(URI.create("string:///Snippet.java"), JavaFileObject.Kind.SOURCE) {
                    @Override
                    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                        return AROUND.formatted(snippet);
                    }
                };
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        List<String> options =
                List.of("-proc:none", "-d", directory.toString(), "-classpath", System.getProperty("java.class.path"));
        javac.getTask(null, null, found, options, null, List.of(source)).call();
        return found.getDiagnostics().stream()
                .filter(problem -> problem.getKind() == Diagnostic.Kind.ERROR)
                .map(problem -> problem.getMessage(Locale.ROOT))
                .toList();
    }
}
