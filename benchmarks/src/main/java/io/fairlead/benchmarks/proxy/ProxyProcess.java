package io.fairlead.benchmarks.proxy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A process that listens on a port of 127.0.0.1, and what Linux says of it and of the processes that it has started. */
final class ProxyProcess implements AutoCloseable {
    private static final Pattern OUR_PORT =
            Pattern.compile("(?:" + ProxyMain.LISTENING + "|fairlead listening on http://127\\.0\\.0\\.1:)([0-9]+)");
    private static final Pattern USED_HEAP = Pattern.compile("used ([0-9]+)K");
    /** USER_HZ, which is 100 on every Linux that Java runs on. */
    private static final double TICKS_A_SECOND = 100;

    private final Process process;
    private final int port;
    private final boolean isJvm;

    private ProxyProcess(Process process, int port, boolean isJvm) {
        this.process = process;
        this.port = port;
        this.isJvm = isJvm;
    }

    /**
     * Starts a process and waits until it listens.
     *
     * @param port where it will listen; null: it says so itself
     */
    static ProxyProcess start(List<String> command, @Nullable Integer port) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(Redirect.INHERIT);
        if (port != null) {
            builder.redirectOutput(Redirect.DISCARD);
        }
        Process process = builder.start();
        boolean listens = false;
        try {
            int listening = port == null ? announced(process, command) : port;
            awaitConnect(process, listening, command);
            listens = true;
            return new ProxyProcess(process, listening, port == null);
        } finally {
            if (!listens) {
                process.destroyForcibly();
            }
        }
    }

    private static int announced(Process process, List<String> command) throws IOException {
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            Matcher matcher = OUR_PORT.matcher(line);
            if (matcher.find()) {
                return Integer.parseInt(matcher.group(1));
            }
        }
        throw new IOException("ended before it listened: " + String.join(" ", command));
    }

    private static void awaitConnect(Process process, int port, List<String> command)
            throws IOException, InterruptedException {
        for (int i = 0; i < 100 && process.isAlive(); i++) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                if (socket.isConnected()) {
                    return;
                }
            } catch (IOException e) {
                TimeUnit.MILLISECONDS.sleep(50);
            }
        }
        throw new IOException("does not listen on port " + port + ": " + String.join(" ", command));
    }

    int port() {
        return port;
    }

    /** Processor time that it has taken so far, in microseconds. */
    double cpuMicros() throws IOException {
        double ticks = 0;
        for (long pid : pids()) {
            String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            // After the name, which may hold anything: state is the first, utime the 12th, stime the 13th.
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            ticks += Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
        }
        return ticks / TICKS_A_SECOND * 1e6;
    }

    /** Resident memory in KiB. */
    long residentKib() throws IOException {
        return status("VmRSS:");
    }

    long threads() throws IOException {
        return status("Threads:");
    }

    private long status(String key) throws IOException {
        long sum = 0;
        for (long pid : pids()) {
            for (String line : Files.readAllLines(Path.of("/proc", Long.toString(pid), "status"))) {
                if (line.startsWith(key)) {
                    sum += Long.parseLong(line.replaceAll("[^0-9]", ""));
                }
            }
        }
        return sum;
    }

    /** What is used of the heap after a collection, in KiB; -1 where there is no heap. */
    long heapKib() throws IOException {
        if (!isJvm) {
            return -1;
        }
        jcmd("GC.run");
        Matcher used = USED_HEAP.matcher(jcmd("GC.heap_info"));
        if (!used.find()) {
            throw new IOException("jcmd says nothing of the heap of process " + process.pid());
        }
        return Long.parseLong(used.group(1));
    }

    private String jcmd(String command) throws IOException {
        Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        Process asked = new ProcessBuilder(jcmd.toString(), Long.toString(process.pid()), command)
                .redirectErrorStream(true)
                .start();
        return new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    private List<Long> pids() {
        List<Long> pids = new ArrayList<>();
        pids.add(process.pid());
        process.descendants().forEach(child -> pids.add(child.pid()));
        return pids;
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(5, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
