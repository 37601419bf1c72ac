package io.fairlead.config;

import io.fairlead.config.YamlNode.Entry;
import io.fairlead.config.YamlNode.Kind;
import io.fairlead.strategy.Nearest;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A value in a configuration file, with its place. What is asked of it and is not there in that form becomes a problem
 * of the file, and the caller goes on with its default, so that one reading finds all mistakes.
 *
 * <p>A key without a value counts as missing.
 *
 * <p>Safe for use from any thread.
 */
public final class ConfigNode {
    private final Problems problems;
    private final String key;
    private final String path;
    private final int line;
    private final @Nullable YamlNode node;

    private ConfigNode(Problems problems, String key, String path, int line, @Nullable YamlNode node) {
        this.problems = problems;
        this.key = key;
        this.path = path;
        this.line = line;
        this.node = node == null || node.isNull ? null : node;
    }

    static ConfigNode root(Problems problems, @Nullable YamlNode node) {
        return new ConfigNode(problems, "", "", node == null ? 1 : node.line, node);
    }

    /** The key that leads here, as it is spelt in the file; in a list the position, {@code [0]}; empty at the top. */
    public String key() {
        return key;
    }

    /** All keys that lead here: {@code http.services.orders.loadBalancer.servers[0].url}. */
    public String path() {
        return path;
    }

    /** The line of the key, from 1 on; that of the mapping around where this is missing. */
    public int line() {
        return line;
    }

    /** Whether there is no such key, or no value behind it. */
    public boolean isMissing() {
        return node == null;
    }

    /**
     * The value behind a key of this mapping.
     *
     * @param childKey the key, compared without case
     * @return a node that {@link #isMissing()} when there is no such key, or when this is not a mapping, which is a
     *     problem unless this is missing itself
     */
    public ConfigNode get(String childKey) {
        YamlNode mapping = is(Kind.MAPPING);
        Entry entry = mapping == null ? null : mapping.entry(childKey);
        return entry == null
                ? new ConfigNode(problems, childKey, KeyPath.key(path, childKey), line, null)
                : child(entry);
    }

    /** Whether this is a list. */
    boolean isList() {
        return node != null && node.kind == Kind.SEQUENCE;
    }

    /** Whether this is a mapping. */
    boolean isMapping() {
        return node != null && node.kind == Kind.MAPPING;
    }

    /** Whether this is a mapping with that key, be there a value behind it or not. */
    public boolean has(String childKey) {
        return node != null && node.kind == Kind.MAPPING && node.entry(childKey) != null;
    }

    /** The values of this mapping, in the order of the file; none, and a problem, when it is something else. */
    public List<ConfigNode> entries() {
        YamlNode mapping = is(Kind.MAPPING);
        List<ConfigNode> children = new ArrayList<>();
        if (mapping != null) {
            mapping.entries().forEach(entry -> children.add(child(entry)));
        }
        return children;
    }

    /** The values of this list, in order; none, and a problem, when it is something else. */
    public List<ConfigNode> items() {
        YamlNode sequence = is(Kind.SEQUENCE);
        List<ConfigNode> children = new ArrayList<>();
        if (sequence != null) {
            for (YamlNode item : sequence.items) {
                int i = children.size();
                children.add(new ConfigNode(problems, "[" + i + "]", KeyPath.item(path, i), item.line, item));
            }
        }
        return children;
    }

    /** The values of a list that must be there and hold something; none, with a problem, where it does not. */
    public List<ConfigNode> requiredItems() {
        if (!require()) {
            return new ArrayList<>();
        }
        List<ConfigNode> items = items();
        if (items.isEmpty() && isList()) {
            problem("is empty");
        }
        return items;
    }

    /** The text of this value; null when it is missing, or, with a problem, when it is a mapping or a list. */
    public @Nullable String string() {
        YamlNode scalar = is(Kind.SCALAR);
        return scalar == null ? null : scalar.text;
    }

    /** The text of this value, or the default where {@link #string()} is null. */
    public String string(String orElse) {
        String text = string();
        return text == null ? orElse : text;
    }

    /**
     * The text of a value that must be there and not be empty.
     *
     * @return null, with a problem, when it is not so
     */
    public @Nullable String requiredString() {
        if (!require()) {
            return null;
        }
        String text = string();
        if (text != null && text.isEmpty()) {
            problem("is empty");
            return null;
        }
        return text;
    }

    /** The whole number from {@code min} to {@code max}; the default when it is missing, or, with a problem, no such. */
    public int integer(int min, int max, int orElse) {
        String text = string();
        if (text == null) {
            return orElse;
        }
        if (text.length() <= 20 && text.matches("[-+]?[0-9]+")) {
            BigInteger number = new BigInteger(text);
            if (number.compareTo(BigInteger.valueOf(min)) >= 0 && number.compareTo(BigInteger.valueOf(max)) <= 0) {
                return number.intValue();
            }
        }
        problem("must be a whole number" + range(min, max) + ", not " + Quote.of(text));
        return orElse;
    }

    /** A number with or without decimals; null when it is missing, or, with a problem, no number. */
    public @Nullable Double decimal() {
        String text = string();
        if (text == null) {
            return null;
        }
        if (text.length() <= 40 && text.matches("[-+]?[0-9]+(\\.[0-9]+)?")) {
            return Double.valueOf(text);
        }
        problem("must be a number, not " + Quote.of(text));
        return null;
    }

    private static String range(int min, int max) {
        if (min == Integer.MIN_VALUE) {
            return max == Integer.MAX_VALUE ? "" : " of at most " + max;
        }
        return max == Integer.MAX_VALUE ? " of at least " + min : " from " + min + " to " + max;
    }

    /** True or false; the default when it is missing, or, with a problem, neither. */
    public boolean bool(boolean orElse) {
        String text = string();
        if (text == null) {
            return orElse;
        }
        if (text.equalsIgnoreCase("true")) {
            return true;
        }
        if (!text.equalsIgnoreCase("false")) {
            problem("must be true or false, not " + Quote.of(text));
            return orElse;
        }
        return false;
    }

    /**
     * The duration, of zero or more: {@code 250ms}, {@code 10s}, {@code 1m30s}, or a bare number of seconds; null when
     * it is missing, or, with a problem, no such.
     */
    public @Nullable Duration duration() {
        String text = string();
        if (text == null) {
            return null;
        }
        Duration duration = Durations.parse(text);
        if (duration == null) {
            problem("must be a duration such as 250ms, 10s, 1m30s or a number of seconds, a year at most, not "
                    + Quote.of(text));
        }
        return duration;
    }

    /** The duration, or the default where {@link #duration()} is null. */
    public Duration duration(Duration orElse) {
        Duration duration = duration();
        return duration == null ? orElse : duration;
    }

    /** The texts of this list; none when it is missing, or, with a problem, something else. */
    public List<String> strings() {
        List<String> texts = new ArrayList<>();
        for (ConfigNode item : items()) {
            String text = item.requiredString();
            if (text != null) {
                texts.add(text);
            }
        }
        return texts;
    }

    /**
     * Makes every other key of this mapping a problem, which names the nearest of the known ones. Called before
     * {@link #require()} is on the values, so that a misspelt key is one problem and not two.
     */
    public void allow(String... keys) {
        List<String> known = Arrays.asList(keys);
        for (ConfigNode entry : entries()) {
            if (known.stream().anyMatch(entry.key::equalsIgnoreCase)) {
                continue;
            }
            String nearest = Nearest.of(entry.key, known);
            if (nearest == null) {
                entry.problem("unknown key " + Quote.of(entry.key) + "; known here: " + String.join(", ", known));
            } else {
                entry.problem("unknown key " + Quote.of(entry.key) + "; did you mean '" + nearest + "'?");
                problems.explain(KeyPath.key(path, nearest));
            }
        }
    }

    /** Whether the value is there; a problem when it is not. */
    public boolean require() {
        if (node == null && !problems.isExplained(path)) {
            problem("is missing");
        }
        return node != null;
    }

    /**
     * This value with all that it holds as one text: equal for two values exactly when they say the same, however they are
     * laid out, and whatever the case of their keys; empty when it is missing. Not for people to read.
     */
    public String canonical() {
        StringBuilder text = new StringBuilder();
        if (node != null) {
            node.appendTo(text);
        }
        return text.toString();
    }

    /** Adds a problem at this place. */
    public void problem(String what) {
        problems.add(line, path, what);
    }

    /** Adds a notice at this place: something to be told, for which the file is not refused. */
    public void notice(String what) {
        problems.notice(line, path, what);
    }

    /** Adds the problem that a name means nothing, and which known one may have been meant. */
    void unknown(String what, String name, Collection<String> known) {
        String nearest = problems.isLong() ? null : Nearest.of(name, known);
        problem("there is no " + what + " " + Quote.of(name)
                + (nearest == null ? "" : "; did you mean " + Quote.of(nearest) + "?"));
    }

    /** Whether a key near to one of these was misspelt in this mapping, and told as a problem. */
    boolean hasMisspelt(String... keys) {
        for (String each : keys) {
            if (problems.isExplained(KeyPath.key(path, each))) {
                return true;
            }
        }
        return false;
    }

    /** Hands a value on, unless it is null; what the receiver refuses is a problem at this place. */
    <T> void give(@Nullable T value, Consumer<T> receiver) {
        if (value == null) {
            return;
        }
        try {
            receiver.accept(value);
        } catch (IllegalArgumentException e) {
            String message = e.getMessage();
            problem(message == null ? "is refused" : message);
        }
    }

    @Override
    public String toString() {
        return path + " (line " + line + ")";
    }

    private @Nullable YamlNode is(Kind kind) {
        if (node != null && node.kind != kind) {
            problem((path.isEmpty() ? "the file " : "") + "must be " + kind.words + ", not " + node.kind.words);
            return null;
        }
        return node;
    }

    private ConfigNode child(Entry entry) {
        return new ConfigNode(problems, entry.key, KeyPath.key(path, entry.key), entry.line, entry.value);
    }
}
