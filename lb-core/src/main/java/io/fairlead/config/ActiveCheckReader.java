package io.fairlead.config;

import io.fairlead.health.HealthCheck;
import io.fairlead.health.StatusCodes;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** Reads {@code healthCheck}. */
final class ActiveCheckReader {
    /** What says something of a request, and nothing of a connection alone. */
    private static final String[] OF_REQUESTS = {"method", "headers", "status", "bodyPattern", "followRedirects"};

    private final ConfigNode node;
    private final HealthCheck.Builder check = HealthCheck.builder();

    ActiveCheckReader(ConfigNode node) {
        this.node = node;
    }

    HealthCheck read() {
        node.allow(
                "mode",
                "path",
                "method",
                "scheme",
                "hostname",
                "port",
                "headers",
                "status",
                "bodyPattern",
                "followRedirects",
                "interval",
                "unhealthyInterval",
                "jitter",
                "timeout",
                "fall",
                "rise",
                "initiallyUp");
        HealthCheck defaults = check.build();
        readMode();
        give("method", check::method);
        give("scheme", check::scheme);
        give("hostname", check::hostname);
        check.port(node.get("port").integer(1, 65535, defaults.port()));
        for (ConfigNode header : node.get("headers").entries()) {
            header.give(header.requiredString(), value -> check.header(header.key(), value));
        }
        give("status", text -> check.status(StatusCodes.parse(text)));
        give("bodyPattern", text -> check.bodyPattern(pattern(text)));
        check.followRedirects(node.get("followRedirects").bool(defaults.followRedirects()));
        check.interval(HealthReader.positive(node.get("interval"), defaults.interval()));
        ConfigNode unhealthy = node.get("unhealthyInterval");
        if (!unhealthy.isMissing()) {
            check.unhealthyInterval(HealthReader.positive(unhealthy, defaults.interval()));
        }
        check.jitter(node.get("jitter").integer(0, 100, defaults.jitter()));
        check.timeout(HealthReader.positive(node.get("timeout"), defaults.timeout()));
        check.fall(node.get("fall").integer(1, Integer.MAX_VALUE, defaults.fall()));
        check.rise(node.get("rise").integer(1, Integer.MAX_VALUE, defaults.rise()));
        check.initiallyUp(node.get("initiallyUp").bool(defaults.initiallyUp()));
        return check.build();
    }

    private void readMode() {
        String mode = node.get("mode").string();
        boolean hasPath = !node.get("path").isMissing();
        if (mode != null && !mode.equals("http") && !mode.equals("tcp")) {
            node.get("mode").problem("must be http or tcp, not " + Quote.of(mode));
        } else if ("tcp".equals(mode) && hasPath) {
            node.get("path").problem("has no meaning where mode is tcp");
        } else if (hasPath) {
            give("path", check::path);
        } else if ("http".equals(mode)) {
            check.path("/");
        } else {
            for (String key : OF_REQUESTS) {
                if (!node.get(key).isMissing()) {
                    node.get(key).problem("has no meaning without a request; give a path, or mode: http");
                }
            }
        }
    }

    private void give(String key, Consumer<String> receiver) {
        node.get(key).give(node.get(key).string(), receiver);
    }

    private static Pattern pattern(String text) {
        try {
            return Pattern.compile(text);
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException("is not a regular expression: " + e.getDescription(), e);
        }
    }
}
