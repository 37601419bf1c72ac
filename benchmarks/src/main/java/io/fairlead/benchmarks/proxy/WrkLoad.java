package io.fairlead.benchmarks.proxy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Load by wrk, whose times are whole seconds. */
final class WrkLoad implements Load {
    private static final Path WRK = Path.of("/usr/bin/wrk");
    private static final Pattern SUMMARY =
            Pattern.compile("SUMMARY ([0-9]+) ([0-9]+) ([0-9]+) ([0-9]+) ([0-9.]+) ([0-9.]+)");

    private final Path scratch;

    private WrkLoad(Path scratch) {
        this.scratch = scratch;
    }

    /** By wrk where it is installed, else by this JVM. */
    static Load orJvm(Path scratch) {
        return Files.isExecutable(WRK) ? new WrkLoad(scratch) : new JvmLoad();
    }

    @Override
    public String name() {
        return "wrk";
    }

    @Override
    public Result run(int port, Case what, int millis) throws IOException, InterruptedException {
        Process wrk = new ProcessBuilder(
                        WRK.toString(),
                        "-t1",
                        "-c" + CONNECTIONS,
                        "-d" + Math.max(1, Math.round(millis / 1000.0)) + "s",
                        "-s",
                        script(what).toString(),
                        "http://127.0.0.1:" + port + what.path())
                .redirectErrorStream(true)
                .start();
        String output = new String(wrk.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        Matcher summary = SUMMARY.matcher(output);
        if (wrk.waitFor() != 0 || !summary.find()) {
            throw new IOException("wrk failed: " + output);
        }
        if (Long.parseLong(summary.group(4)) > 0) {
            throw new IOException("wrk met answers that were broken, late or of another status: " + output);
        }
        return new Result(
                Long.parseLong(summary.group(1)),
                Long.parseLong(summary.group(2)),
                Long.parseLong(summary.group(3)) / 1e6,
                Double.parseDouble(summary.group(5)),
                Double.parseDouble(summary.group(6)));
    }

    private Path script(Case what) throws IOException {
        Path file = scratch.resolve(what.name().toLowerCase(Locale.ROOT) + ".lua");
        String body = what.requestBytes() == 0
                ? ""
                : "wrk.method = 'POST'\nwrk.body = string.rep('x', " + what.requestBytes() + ")\n";
        Files.write(file, List.of(body + """
                done = function(summary, latency, requests)
                    local e = summary.errors
                    io.write(string.format('SUMMARY %d %d %d %d %f %f\\n', summary.requests, summary.bytes,
                        summary.duration, e.connect + e.read + e.write + e.status + e.timeout,
                        latency:percentile(50), latency:percentile(99)))
                end
                """));
        return file;
    }
}
