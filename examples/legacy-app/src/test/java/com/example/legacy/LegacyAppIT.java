package com.example.legacy;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The application's jar, run by the Java that runs the test, with the agent's jar and without. */
final class LegacyAppIT {
    private static final String[] IN_TURN = {
        "one: GET /orders for orders from http://orders/orders",
        "two: GET /orders for orders from http://orders/orders",
        "one: GET /orders for orders from http://orders/orders",
        "two: GET /orders for orders from http://orders/orders"
    };

    @TempDir
    Path folder;

    private HttpServer one;
    private HttpServer two;

    @BeforeEach
    void startServers() throws IOException {
        one = server("one");
        two = server("two");
    }

    @AfterEach
    void stopServers() {
        one.stop(0);
        two.stop(0);
    }

    @Test
    void underTheAgentBothServersAnswerInTurnAndTheLogicalUrlIsSeen() throws Exception {
        Process app = start("4", agent());

        assertThat(lines(app.getInputStream())).containsExactly(IN_TURN);
        assertThat(lines(app.getErrorStream())).isEmpty();
        assertEnded(app);
    }

    @Tag("long")
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void besideOpenTelemetrysAgentTheSameIsSeenWhicheverComesFirst(boolean oursFirst) throws Exception {
        String other = "-javaagent:" + new File(openTelemetry().toURI());
        Process app = start(
                "4",
                oursFirst ? agent() : other,
                oursFirst ? other : agent(),
                "-Dotel.traces.exporter=logging",
                "-Dotel.metrics.exporter=none",
                "-Dotel.logs.exporter=none");

        assertThat(lines(app.getInputStream())).containsExactly(IN_TURN);
        List<String> errors = lines(app.getErrorStream());
        assertThat(errors).noneMatch(line -> line.contains("fairlead"));
        // The other one has seen the calls too.
        assertThat(errors)
                .filteredOn(line -> line.contains("LoggingSpanExporter"))
                .hasSize(4);
        assertEnded(app);
    }

    @Test
    void withoutTheAgentTheNameLeadsNowhere() throws Exception {
        Process app = start("1");

        assertThat(lines(app.getInputStream())).isEmpty();
        assertThat(lines(app.getErrorStream())).anyMatch(line -> line.contains("java.net.UnknownHostException"));
    }

    private static void assertEnded(Process app) throws InterruptedException {
        assertThat(app.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(app.exitValue()).isZero();
    }

    private String agent() throws IOException {
        return "-javaagent:" + jar("../../lb-agent/target/lb-agent.jar") + "=" + configuration();
    }

    /** The jar of the other agent, which is on the tests' class path. */
    private static URL openTelemetry() throws ClassNotFoundException {
        return Class.forName("io.opentelemetry.javaagent.OpenTelemetryAgent", false, LegacyAppIT.class.getClassLoader())
                .getProtectionDomain()
                .getCodeSource()
                .getLocation();
    }

    private Process start(String count, String... options) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(new File(System.getProperty("java.home"), "bin/java").getPath());
        command.addAll(Arrays.asList(options));
        Collections.addAll(command, "-jar", jar("target/legacy-app.jar"), "http://orders/orders", count);
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        return builder.start();
    }

    private static String jar(String path) {
        File jar = new File(path).getAbsoluteFile();
        assertThat(jar).exists();
        return jar.getPath();
    }

    private Path configuration() throws IOException {
        String text = "http: {services: {orders: {loadBalancer: {servers: [{url: \"http://127.0.0.1:"
                + one.getAddress().getPort() + "\"}, {url: \"http://127.0.0.1:"
                + two.getAddress().getPort() + "\"}]}}}}\n";
        return Files.write(folder.resolve("lb.yaml"), text.getBytes(StandardCharsets.UTF_8));
    }

    private static HttpServer server(String name) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            String text = name + ": " + exchange.getRequestMethod() + " " + exchange.getRequestURI() + " for "
                    + exchange.getRequestHeaders().getFirst("Host");
            byte[] body = text.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        return server;
    }

    private static List<String> lines(InputStream from) throws IOException {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(from, StandardCharsets.UTF_8))) {
            return reader.lines().collect(Collectors.toList());
        }
    }
}
