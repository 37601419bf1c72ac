package io.fairlead.agent.it;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** A process of the Java that runs the tests, with its input and what it prints. */
final class Jvm implements AutoCloseable {
    /** How long a test waits for what comes in a moment, unless the machine has much else to do. */
    static final Duration PATIENCE = Duration.ofMinutes(3);

    private final Process process;
    private final Writer input;
    private final BlockingQueue<String> unread = new LinkedBlockingQueue<>();
    private final List<String> output = new CopyOnWriteArrayList<>();
    private final List<String> errors = new CopyOnWriteArrayList<>();
    private final Thread outputReader;
    private final Thread errorReader;
    private int marks;

    private Jvm(ProcessBuilder builder) throws IOException {
        process = builder.start();
        input = new BufferedWriter(new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
        outputReader = read(process.getInputStream(), line -> {
            output.add(line);
            unread.add(line);
        });
        errorReader = read(process.getErrorStream(), errors::add);
    }

    /** Waits for a condition with that patience, and looks often. */
    static ConditionFactory await() {
        return Awaitility.await()
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(10))
                .pollDelay(Duration.ZERO);
    }

    /** The agent's jar. */
    static File agent() {
        return new File("target/lb-agent.jar").getAbsoluteFile();
    }

    /** The home of the Java that runs the tests; on Java 8 its runtime. */
    static File home() {
        return new File(System.getProperty("java.home"));
    }

    /** Whether that Java can attach to others: a JDK can, a bare runtime of Java 8 cannot. */
    static boolean canAttach() {
        return new File(home(), "bin/jcmd").exists() || new File(home().getParentFile(), "bin/jcmd").exists();
    }

    /** The application of the tests with these options of the JVM. */
    static Jvm console(String... options) throws IOException {
        List<String> arguments = new ArrayList<>(Arrays.asList(options));
        Collections.addAll(arguments, "-cp", new File("target/test-classes").getAbsolutePath(), "app.Console");
        return java(arguments.toArray(new String[0]));
    }

    /** The application of the tests under the agent, with debugging. */
    static Jvm underAgent(File configuration, String... options) throws IOException {
        List<String> arguments = new ArrayList<>();
        Collections.addAll(arguments, "-javaagent:" + agent() + "=" + configuration, "-Dfairlead.log=debug");
        arguments.addAll(Arrays.asList(options));
        return console(arguments.toArray(new String[0]));
    }

    /** {@code java} with these arguments. */
    static Jvm java(String... arguments) throws IOException {
        return new Jvm(command("java", arguments));
    }

    /** A process that {@link #command} has prepared. */
    static Jvm start(ProcessBuilder command) throws IOException {
        return new Jvm(command);
    }

    /** A program of the JDK, not started yet, without any options of the environment. */
    static ProcessBuilder command(String program, String... arguments) {
        List<String> words = new ArrayList<>();
        words.add(new File(home(), "bin/" + program).getPath());
        if (program.equals("java")) {
            // It lives for a second: the second compiler and a parallel collector would only take the machine's time.
            Collections.addAll(words, "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");
        }
        words.addAll(Arrays.asList(arguments));
        ProcessBuilder builder = new ProcessBuilder(words);
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        builder.environment().remove("JDK_JAVA_OPTIONS");
        builder.environment().remove("FAIRLEAD_CONFIG");
        return builder;
    }

    /** Gives the application a command and waits for its answer. */
    String ask(String command) throws IOException, InterruptedException {
        input.write(command + "\n");
        input.flush();
        String answer = null;
        for (long end = System.nanoTime() + PATIENCE.toNanos(); answer == null && System.nanoTime() < end; ) {
            // What has ended does not answer any more, but for what is still being read.
            boolean alive = process.isAlive();
            answer = unread.poll(1, TimeUnit.SECONDS);
            if (answer == null && !alive) {
                break;
            }
        }
        if (answer == null) {
            throw new AssertionError("no answer to '" + command + "'; standard error: " + errors);
        }
        return answer;
    }

    /** Gives the same command several times. */
    List<String> ask(String command, int times) throws IOException, InterruptedException {
        List<String> answers = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            answers.add(ask(command));
        }
        return answers;
    }

    /** Ends the input, waits for the end and gives the exit status. */
    int end() throws IOException, InterruptedException {
        input.close();
        if (!process.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new AssertionError("the process does not end; standard error: " + errors);
        }
        outputReader.join();
        errorReader.join();
        return process.exitValue();
    }

    List<String> output() {
        return output;
    }

    List<String> errors() {
        return errors;
    }

    /**
     * The lines on standard error that contain a text. An application that still runs is made to print a mark, so that
     * everything that it printed before has been read.
     */
    List<String> errorsWith(String text) throws IOException, InterruptedException {
        if (process.isAlive()) {
            String mark = "mark-" + marks++ + ";";
            ask("mark " + mark);
            // Others write there too, the end of a line at times apart from it, so it need not stand on a line of its
            // own.
            await().until(() -> errors.stream().anyMatch(line -> line.contains(mark)));
        }
        List<String> found = new ArrayList<>();
        for (String line : errors) {
            if (line.contains(text)) {
                found.add(line);
            }
        }
        return found;
    }

    /** What the agent said, debugging aside. */
    List<String> agentLines() throws IOException, InterruptedException {
        List<String> lines = errorsWith("fairlead");
        lines.removeIf(line -> line.contains("fairlead: debug: "));
        return lines;
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    private static Thread read(InputStream from, java.util.function.Consumer<String> to) {
        Thread thread = new Thread(() -> {
            try (BufferedReader reader = new BufferedReader(new InputStreamReader(from, StandardCharsets.UTF_8))) {
                for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                    to.accept(line);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler((t, e) -> to.accept("(the stream broke: " + e + ")"));
        thread.start();
        return thread;
    }
}
