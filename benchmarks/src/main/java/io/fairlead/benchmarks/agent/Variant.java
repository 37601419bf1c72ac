package io.fairlead.benchmarks.agent;

import java.util.List;

/**
 * An agent, or none.
 *
 * @param name what the table calls it
 * @param options of the JVM, which bring it in
 * @param jarBytes its size; 0: there is no agent
 */
record Variant(String name, List<String> options, long jarBytes) {
    static final String NONE = "no agent";
    static final String OURS = "Fairlead";
}
