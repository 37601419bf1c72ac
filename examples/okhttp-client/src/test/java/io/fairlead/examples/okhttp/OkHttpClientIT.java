package io.fairlead.examples.okhttp;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example as its user runs it. */
class OkHttpClientIT {
    private final List<HttpServer> servers = new ArrayList<>();

    @TempDir
    Path directory;

    @AfterEach
    void stop() {
        servers.forEach(server -> server.stop(0));
    }

    private String server(String name) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            byte[] body =
                    (name + " for " + exchange.getRequestHeaders().getFirst("Host")).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        servers.add(server);
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private Path config(String... urls) throws IOException {
        List<String> lines = new ArrayList<>(
                Arrays.asList("http:", "  services:", "    orders:", "      loadBalancer:", "        servers:"));
        for (String url : urls) {
            lines.add("          - url: \"" + url + "\"");
        }
        return Files.write(directory.resolve("lb.yaml"), lines, StandardCharsets.UTF_8);
    }

    private Run run(String... arguments) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Paths.get(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-jar");
        command.add(System.getProperty("fairlead.test.jar"));
        command.addAll(Arrays.asList(arguments));
        File out = directory.resolve("out.txt").toFile();
        File err = directory.resolve("err.txt").toFile();
        Process process = new ProcessBuilder(command)
                .redirectOutput(out)
                .redirectError(err)
                .start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("it ends").isTrue();
        } finally {
            process.destroyForcibly();
        }
        return new Run(
                process.exitValue(),
                Files.readAllLines(out.toPath(), StandardCharsets.UTF_8),
                Files.readAllLines(err.toPath(), StandardCharsets.UTF_8));
    }

    @Test
    void itPrintsTheAnswersOfBothServersInTurn() throws Exception {
        Path file = config(server("one"), server("two"));
        Run run = run(file.toString(), "http://orders/", "4");
        assertThat(run.err).isEmpty();
        assertThat(run.out)
                .containsExactly(
                        "200 one for orders", "200 two for orders", "200 one for orders", "200 two for orders");
        assertThat(run.status).isZero();
    }

    @Test
    void aServerThatIsDownCostsNoCall() throws Exception {
        String dead;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            dead = "http://127.0.0.1:" + socket.getLocalPort();
        }
        Run run = run(config(dead, server("two")).toString(), "http://orders/", "3");
        assertThat(run.out).containsExactly("200 two for orders", "200 two for orders", "200 two for orders");
        assertThat(run.status).isZero();
    }

    @Test
    void aServiceWithoutServersIsNamed() throws Exception {
        String yaml =
                "http: {services: {orders: {loadBalancer: {servers: [{url: \"http://127.0.0.1:1\", fenced: true}]}}}}";
        Path file = Files.write(directory.resolve("lb.yaml"), yaml.getBytes(StandardCharsets.UTF_8));
        Run run = run(file.toString(), "http://orders/");
        assertThat(run.err)
                .anySatisfy(
                        line -> assertThat(line).startsWith("http://orders/: ").contains("'orders'"));
        assertThat(run.out).isEmpty();
        assertThat(run.status).isEqualTo(1);
    }

    @Test
    void aMistakeInTheFileIsShownWithItsLine() throws Exception {
        Path file = config("ftp://127.0.0.1");
        Run run = run(file.toString(), "http://orders/");
        assertThat(run.err).hasSize(1).first().asString().startsWith(file + ":6: ");
        assertThat(run.status).isEqualTo(2);
    }

    private static final class Run {
        final int status;
        final List<String> out;
        final List<String> err;

        Run(int status, List<String> out, List<String> err) {
            this.status = status;
            this.out = out;
            this.err = err;
        }
    }
}
