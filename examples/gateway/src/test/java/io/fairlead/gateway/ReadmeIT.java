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

/** What the README shows is so: each snippet compiles, and the configuration is accepted as it stands. */
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
        String webXml = Files.readString(Readme.ROOT.resolve("examples/webxml/src/main/webapp/WEB-INF/web.xml"))
                .replaceAll("(?s)<!--.*?-->", "");

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
