package io.fairlead.servlet.middleware;

import io.fairlead.config.ConfigFile;
import io.fairlead.config.ConfigNode;
import io.fairlead.config.ConfigProblem;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Middlewares from a line of configuration. */
final class Configured {
    private final ConfigFile file;

    private Configured(String yaml) {
        file = ConfigFile.parse(
                "lb.yaml",
                "http:\n  services:\n    orders: {loadBalancer: {servers: [{url: \"http://127.0.0.1:1\"}]}}\n"
                        + "  middlewares:\n    one: " + yaml + "\n");
    }

    static Middleware of(String yaml, Function<ConfigNode, @Nullable Middleware> reader) {
        Configured configured = new Configured(yaml);
        Middleware middleware = configured.read(reader);
        configured.file.throwIfBroken();
        return middleware;
    }

    /** What is wrong with it, without the place of the middleware. */
    static List<String> problems(String yaml, Function<ConfigNode, @Nullable Middleware> reader) {
        Configured configured = new Configured(yaml);
        configured.read(reader);
        return lines(configured.file.problems().list());
    }

    /** What is told of it although it is not wrong, likewise. */
    static List<String> notices(String yaml, Function<ConfigNode, @Nullable Middleware> reader) {
        Configured configured = new Configured(yaml);
        configured.read(reader);
        configured.file.throwIfBroken();
        return lines(configured.file.notices());
    }

    private static List<String> lines(List<ConfigProblem> told) {
        return told.stream()
                .map(ConfigProblem::toString)
                .map(line -> line.replace("lb.yaml:5: http.middlewares.one", ""))
                .toList();
    }

    private @Nullable Middleware read(Function<ConfigNode, @Nullable Middleware> reader) {
        return reader.apply(file.http().get("middlewares").get("one"));
    }
}
