package io.fairlead.agent.it;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** One client in one version, as {@code clients.txt} names it. */
final class Cell {
    final boolean newest;
    final String program;
    final String client;
    final String version;
    final int java;
    private final List<String> jars;

    private Cell(String line) {
        newest = line.startsWith("*");
        String[] words = (newest ? line.substring(1) : line).split(" ", -1);
        program = words[0];
        client = words[1].replace('-', ' ');
        version = words[2];
        java = Integer.parseInt(words[3]);
        jars = Arrays.asList(words).subList(4, words.length);
    }

    /** All of them that the Java which runs the tests can run. */
    static List<Cell> all(boolean newest) throws IOException {
        List<Cell> cells = every();
        cells.removeIf(cell -> cell.newest != newest || cell.java > feature());
        return cells;
    }

    /** The newest of each client, but for those whose servers must speak HTTP/2. */
    static Stream<Cell> newestOverHttp1() throws IOException {
        return all(true).stream().filter(cell -> !cell.isHttp2());
    }

    /** All of them. */
    static List<Cell> every() throws IOException {
        List<Cell> cells = new ArrayList<>();
        try (BufferedReader in = new BufferedReader(
                new InputStreamReader(Cell.class.getResourceAsStream("/clients.txt"), StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (!line.isEmpty() && !line.startsWith("#")) {
                    cells.add(new Cell(line));
                }
            }
        }
        return cells;
    }

    /** The newest version of one client. */
    static Cell newest(String program) throws IOException {
        for (Cell cell : all(true)) {
            if (cell.program.equals(program)) {
                return cell;
            }
        }
        throw new AssertionError("no cell of " + program);
    }

    static int feature() {
        String version = System.getProperty("java.specification.version");
        return Integer.parseInt(version.startsWith("1.") ? version.substring(2) : version);
    }

    /** The class path: the programs, and the jars of this version alone. */
    String classPath() throws IOException, InterruptedException {
        StringBuilder path = new StringBuilder(new File("target/test-classes").getAbsolutePath());
        for (String jar : jars) {
            // With the first one comes what it depends on, so that not every jar is asked for by itself.
            path.append(File.pathSeparatorChar).append(file(jar, "jar", jar.equals(jars.get(0))));
        }
        return path.toString();
    }

    /** A jar of the local repository, which is fetched where it is missing. */
    static File jar(String coordinates) throws IOException, InterruptedException {
        return file(coordinates, "jar", false);
    }

    /** The same for other types of artifacts. */
    static File artifact(String coordinates, String type) throws IOException, InterruptedException {
        return file(coordinates, type, false);
    }

    private static File file(String coordinates, String type, boolean withOthers)
            throws IOException, InterruptedException {
        String[] parts = coordinates.split(":", -1);
        File repository = new File(System.getProperty("fairlead.repository"));
        File folder = new File(repository, parts[0].replace('.', '/') + '/' + parts[1] + '/' + parts[2]);
        File file = new File(folder, parts[1] + '-' + parts[2] + '.' + type);
        if (!file.exists()) {
            fetch(coordinates + ':' + type, withOthers);
        }
        if (!file.exists()) {
            throw new AssertionError(file + " is missing");
        }
        return file;
    }

    /** The newest are dependencies of this module, so only tests that are tagged long come here. */
    private static void fetch(String coordinates, boolean withOthers) throws IOException, InterruptedException {
        Process maven = new ProcessBuilder(
                        "mvn",
                        "-B",
                        "-q",
                        "org.apache.maven.plugins:maven-dependency-plugin:get",
                        "-Dtransitive=" + withOthers,
                        "-Dmaven.wagon.http.retryHandler.count=5",
                        "-Dartifact=" + coordinates)
                .redirectErrorStream(true)
                .redirectOutput(new File("target/fetch.log"))
                .start();
        Awaitility.await().atMost(10, TimeUnit.MINUTES).until(() -> !maven.isAlive());
    }

    /** Whether threads of its own watch the connections that it keeps. */
    boolean hasEventLoop() {
        return Sight.hasEventLoop(program);
    }

    /** The checks that it cannot show. */
    List<String> missing() {
        return Sight.missing(program, version, feature());
    }

    /**
     * Its row in the table.
     *
     * @param checks what it has passed of those that it can show
     */
    String row(int feature, String checks) {
        List<String> missing = Sight.missing(program, version, feature);
        return "| " + client + " | " + version + " | " + feature + " | " + checks
                + (missing.isEmpty() ? "" : " but " + String.join(", ", missing)) + " |";
    }

    /** Whether it posts envelopes. */
    boolean isSoap() {
        return program.equals("Soap");
    }

    /** Whether its servers speak HTTP/2. */
    boolean isHttp2() {
        return program.endsWith("Http2");
    }

    @Override
    public String toString() {
        return client + " " + version;
    }
}
