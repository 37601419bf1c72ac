package io.fairlead.config;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A configuration file cannot be used. The message holds every problem, one a line. */
public final class ConfigException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    // Not serializable, and a copy that was sent elsewhere still has the message.
    private final transient List<ConfigProblem> problems;

    ConfigException(List<ConfigProblem> problems) {
        super(Problems.lines(problems));
        this.problems = Collections.unmodifiableList(new ArrayList<>(problems));
    }

    /** What is wrong, in the order of the lines; unmodifiable. */
    public List<ConfigProblem> problems() {
        return problems == null ? Collections.emptyList() : problems;
    }
}
