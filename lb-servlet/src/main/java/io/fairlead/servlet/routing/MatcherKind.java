package io.fairlead.servlet.routing;

import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/** The matchers of the rule language. Several values of one matcher mean any of them. */
enum MatcherKind {
    HOST("Host") {
        @Override
        Rule rule(List<String> values) {
            return any(values, value -> {
                String host = withoutPort(value).toLowerCase(Locale.ROOT);
                return (request, path) -> host.equalsIgnoreCase(request.host());
            });
        }
    },
    PATH("Path") {
        @Override
        Rule rule(List<String> values) {
            return any(values, value -> {
                String wanted = path(value);
                return (request, path) -> path.equals(wanted);
            });
        }
    },
    PATH_PREFIX("PathPrefix") {
        @Override
        Rule rule(List<String> values) {
            return any(values, value -> {
                String prefix = path(value);
                return (request, path) -> PathForm.startsWith(path, prefix);
            });
        }
    },
    PATH_REGEXP("PathRegexp") {
        @Override
        Rule rule(List<String> values) {
            return any(values, value -> {
                Pattern pattern = pattern(value);
                return (request, path) -> pattern.matcher(path).find();
            });
        }
    },
    METHOD("Method") {
        @Override
        Rule rule(List<String> values) {
            return any(values, value -> (request, path) -> request.method().equals(value.toUpperCase(Locale.ROOT)));
        }
    },
    HEADER("Header") {
        @Override
        Rule rule(List<String> values) {
            if (values.size() != 2) {
                throw new IllegalArgumentException("Header takes a name and a value");
            }
            return (request, path) -> {
                Enumeration<String> found = request.headers(values.get(0));
                while (found.hasMoreElements()) {
                    if (found.nextElement().equals(values.get(1))) {
                        return true;
                    }
                }
                return false;
            };
        }
    },
    QUERY("Query") {
        @Override
        Rule rule(List<String> values) {
            if (values.size() > 2) {
                throw new IllegalArgumentException("Query takes a name, and a value if it matters");
            }
            String value = values.size() == 2 ? values.get(1) : null;
            return (request, path) -> QueryText.has(request.query(), values.get(0), value);
        }
    },
    CLIENT_IP("ClientIP") {
        @Override
        Rule rule(List<String> values) {
            return any(values, value -> {
                AddressRange range = AddressRange.parse(value);
                if (range == null) {
                    throw new IllegalArgumentException(
                            "'" + value + "' is not an IP address, nor a range such as 10.0.0.0/8");
                }
                return (request, path) -> range.contains(request.remoteAddress());
            });
        }
    };

    private final String word;

    MatcherKind(String word) {
        this.word = word;
    }

    /**
     * The rule that these values make.
     *
     * @throws IllegalArgumentException they do not fit; the message says why
     */
    abstract Rule rule(List<String> values);

    static @Nullable MatcherKind byName(String name) {
        for (MatcherKind kind : values()) {
            if (kind.word.equals(name)) {
                return kind;
            }
        }
        return null;
    }

    static String names() {
        List<String> names = new ArrayList<>();
        for (MatcherKind kind : values()) {
            names.add(kind.word);
        }
        return String.join(", ", names);
    }

    private interface OfValue {
        Rule rule(String value);
    }

    private static Rule any(List<String> values, OfValue maker) {
        Rule[] rules = values.stream().map(maker::rule).toArray(Rule[]::new);
        if (rules.length == 1) {
            return rules[0];
        }
        return (request, path) -> {
            for (Rule rule : rules) {
                if (rule.matches(request, path)) {
                    return true;
                }
            }
            return false;
        };
    }

    private static String path(String value) {
        if (!value.startsWith("/")) {
            throw new IllegalArgumentException("the path '" + value + "' does not begin with /");
        }
        if (value.indexOf(';') >= 0) {
            throw new IllegalArgumentException("the path '" + value
                    + "' has parameters (what a semicolon begins), which are cut off before a path is compared");
        }
        return PathForm.normal(value);
    }

    private static Pattern pattern(String value) {
        try {
            return Pattern.compile(value);
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException("'" + value + "' is not a regular expression: " + e.getDescription(), e);
        }
    }

    private static String withoutPort(String host) {
        int end = host.startsWith("[") ? host.indexOf(']') + 1 : host.indexOf(':');
        return end > 0 ? host.substring(0, end) : host;
    }
}
