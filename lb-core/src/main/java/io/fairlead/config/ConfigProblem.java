package io.fairlead.config;

import java.util.Objects;

/**
 * One thing that is wrong in a configuration file, and where.
 *
 * <p>Immutable; equal by value.
 */
public final class ConfigProblem {
    private final String file;
    private final int line;
    private final String path;
    private final String message;

    ConfigProblem(String file, int line, String path, String message) {
        this.file = file;
        this.line = line;
        this.path = path;
        this.message = message;
    }

    /** The file, as its path was given. */
    public String file() {
        return file;
    }

    /** The line, from 1 on; 1 where the file as a whole is meant. */
    public int line() {
        return line;
    }

    /** The keys that lead to the place, {@code http.services.orders.loadBalancer.servers[0].url}; empty: the whole file. */
    public String path() {
        return path;
    }

    /** What is wrong, in one line. */
    public String message() {
        return message;
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof ConfigProblem)) {
            return false;
        }
        ConfigProblem that = (ConfigProblem) other;
        return file.equals(that.file) && line == that.line && path.equals(that.path) && message.equals(that.message);
    }

    @Override
    public int hashCode() {
        return Objects.hash(file, line, path, message);
    }

    /** {@code FILE:LINE: path.to.the.key: what is wrong}, in one line. */
    @Override
    public String toString() {
        return file + ":" + line + ": " + (path.isEmpty() ? "" : path + ": ") + message;
    }
}
