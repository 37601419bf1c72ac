package io.fairlead.gateway;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The real jar in a JVM of its own, the one that runs the test. */
final class GatewayProcess implements AutoCloseable {
    static final Path JAR = Path.of("target", "gateway.jar").toAbsolutePath();
    /** Where what it prints is kept, to be read when a test has failed. */
    private static final Path OUTPUT = Path.of("target");

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Process process;
    private final Path out;
    private final Path err;

    private GatewayProcess(List<String> jvmArguments, String... arguments) throws IOException {
        out = Files.createTempFile(OUTPUT, "gateway", ".out");
        err = Files.createTempFile(OUTPUT, "gateway", ".err");
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmArguments);
        command.addAll(List.of("-jar", JAR.toString()));
        command.addAll(List.of(arguments));
        process = new ProcessBuilder(command)
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
    }

    /** Starts it and waits until it says that it listens. */
    static GatewayProcess start(String... arguments) throws IOException {
        return start(List.of(), arguments);
    }

    static GatewayProcess start(List<String> jvmArguments, String... arguments) throws IOException {
        GatewayProcess gateway = new GatewayProcess(jvmArguments, arguments);
        try {
            await().atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(20))
                    .failFast(() -> {
                        if (!gateway.process.isAlive()) {
                            throw new AssertionError("the gateway ended: " + gateway.err());
                        }
                    })
                    .until(() -> gateway.out().contains("fairlead listening on http://")
                            && gateway.out().endsWith("\n"));
            return gateway;
        } catch (RuntimeException | Error e) {
            gateway.close();
            throw e;
        }
    }

    /** Runs it to its end and returns its exit status through {@link #status()}. */
    static GatewayProcess run(String... arguments) throws Exception {
        GatewayProcess gateway = new GatewayProcess(List.of(), arguments);
        gateway.awaitEnd();
        return gateway;
    }

    String out() throws IOException {
        return Files.readString(out);
    }

    String err() throws IOException {
        return Files.readString(err);
    }

    /** The address of a line of standard output. */
    URI address(String line) throws IOException {
        return out().lines()
                .filter(l -> l.startsWith(line + "://", "fairlead ".length()))
                .map(l -> URI.create(l.substring(l.lastIndexOf(' ') + 1)))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no such line: " + line));
    }

    URI http() throws IOException {
        return address("listening on http");
    }

    URI https() throws IOException {
        return address("listening on https");
    }

    URI admin() throws IOException {
        return address("admin on http");
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** SIGTERM. */
    void terminate() {
        process.destroy();
    }

    int awaitEnd() throws InterruptedException {
        if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("the gateway did not end");
        }
        return process.exitValue();
    }

    int status() {
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
