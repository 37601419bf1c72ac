package io.fairlead.servlet.routing;

import io.fairlead.config.AddressRange;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The matchers of the rule language. Several values of one matcher mean any of them. */
enum MatcherKind {
    HOST("Host") {
        @Override
        Rule rule(List<String> values) {
            return any(values, HostMatch::rule);
        }
    },
    HOST_REGEXP("HostRegexp") {
        @Override
        Rule rule(List<String> values) {
            return any(values, value -> {
                GoPattern pattern = GoPattern.compile(value);
                return (request, path) -> pattern.find(HostMatch.plain(request.host()));
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
                GoPattern pattern = GoPattern.compile(value);
                return (request, path) -> pattern.find(PathForm.readable(path));
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
            need(values, 2, 2, "a name and a value");
            return header(values.get(0), values.get(1)::equals);
        }
    },
    HEADER_REGEXP("HeaderRegexp") {
        @Override
        Rule rule(List<String> values) {
            need(values, 2, 2, "a name and a regular expression");
            return header(values.get(0), GoPattern.compile(values.get(1))::find);
        }
    },
    QUERY("Query") {
        @Override
        Rule rule(List<String> values) {
            need(values, 1, 2, "a name, and a value unless it is to have none");
            return query(values.get(0), (values.size() == 2 ? values.get(1) : "")::equals);
        }
    },
    QUERY_REGEXP("QueryRegexp") {
        @Override
        Rule rule(List<String> values) {
            need(values, 2, 2, "a name and a regular expression");
            return query(values.get(0), GoPattern.compile(values.get(1))::find);
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

    private static Rule header(String name, Predicate<String> wanted) {
        return (request, path) -> {
            Enumeration<String> found = request.headers(name);
            while (found.hasMoreElements()) {
                if (wanted.test(found.nextElement())) {
                    return true;
                }
            }
            return false;
        };
    }

    private static Rule query(String name, Predicate<String> wanted) {
        return (request, path) -> QueryText.has(request.query(), name, wanted);
    }

    void need(List<String> values, int least, int most, String what) {
        if (values.size() < least || values.size() > most) {
            throw new IllegalArgumentException(word + " takes " + what);
        }
    }
}
