package io.fairlead.gateway;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads a command line to its end, whatever is wrong with it, so that all mistakes are told at once. */
final class CommandLine {
    private static final Set<String> FLAGS = Set.of("--check", "--help", "--version");
    private static final Set<String> VALUES =
            Set.of("--config", "--host", "--port", "--admin-port", "--tls-cert", "--tls-key", "--tls-port");

    /** By name; null where the value was not to be had, which has been told. */
    private final Map<String, @Nullable String> given = new HashMap<>();

    private final List<String> mistakes = new ArrayList<>();

    CommandLine(String... args) {
        int i = 0;
        while (i < args.length) {
            i += read(args[i], i + 1 < args.length && !args[i + 1].startsWith("--") ? args[i + 1] : null);
        }
    }

    /** Reads an argument, with the one behind it where that can be its value; how many it has taken. */
    private int read(String arg, @Nullable String next) {
        int equals = arg.indexOf('=');
        String name = equals < 0 ? arg : arg.substring(0, equals);
        if (FLAGS.contains(name)) {
            if (equals >= 0) {
                mistakes.add(name + " takes no value");
            }
            put(name, "");
            return 1;
        }
        if (!VALUES.contains(name)) {
            boolean option = name.startsWith("-");
            mistakes.add(option ? "unknown option " + name : "unexpected argument '" + arg + "'");
            // What stands behind it is most likely its value, and no mistake of its own.
            return option && equals < 0 && next != null ? 2 : 1;
        }
        if (equals >= 0) {
            put(name, arg.substring(equals + 1));
            return 1;
        }
        if (next == null) {
            mistakes.add(name + " needs a value");
        }
        put(name, next);
        return next == null ? 1 : 2;
    }

    private void put(String name, @Nullable String value) {
        if (given.containsKey(name)) {
            mistakes.add(name + " is given twice");
        }
        given.put(name, value);
    }

    /** Whether the option stands there, be its value one or not. */
    boolean has(String name) {
        return given.containsKey(name);
    }

    /** Adds a mistake that several options make together. */
    void mistake(String what) {
        mistakes.add(what);
    }

    /** @throws UsageException there are mistakes */
    void throwIfBroken() throws UsageException {
        if (!mistakes.isEmpty()) {
            throw new UsageException(mistakes);
        }
    }

    /** The text of an option, which it is a mistake to leave blank; {@code orElse} where there is none. */
    String text(String name, String orElse) {
        String value = given.get(name);
        if (value != null && value.isBlank()) {
            mistakes.add(name + " is empty");
        }
        return value == null ? orElse : value;
    }

    /** The path of a file; null where there is none. */
    @Nullable
    Path path(String name) {
        String value = given.get(name);
        if (value == null) {
            return null;
        }
        if (value.isEmpty()) {
            mistakes.add(name + " is empty");
            return null;
        }
        try {
            return Path.of(value);
        } catch (InvalidPathException e) {
            mistakes.add(name + ": '" + value + "' is not a path");
            return null;
        }
    }

    /** A port from 0 to 65535; {@code orElse} where there is none. */
    int port(String name, int orElse) {
        String value = given.get(name);
        if (value == null) {
            return orElse;
        }
        if (value.matches("[0-9]{1,5}") && Integer.parseInt(value) <= 65535) {
            return Integer.parseInt(value);
        }
        mistakes.add(name + ": '" + value + "' is not a port from 0 to 65535");
        return orElse;
    }
}
