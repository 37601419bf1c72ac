package io.fairlead.agent.weave;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * A class to weave into: its name, the methods with the advice for each, and the fields that the advice reads. A class
 * that lacks one of them has another shape than the one that was studied, and is left alone.
 *
 * <p>Immutable.
 */
public final class Target {
    private final String className;
    private final List<Hook> hooks;
    private final List<String> fields;

    private Target(String className, List<Hook> hooks, List<String> fields) {
        this.className = className;
        this.hooks = hooks;
        this.fields = fields;
    }

    /** A class of the bootstrap loader, by its binary name, so far without hooks. */
    public static Target jdkClass(String className) {
        return new Target(className, Collections.emptyList(), Collections.emptyList());
    }

    /**
     * Adds a hook.
     *
     * @param method the method's name
     * @param advice the class whose code is woven in
     * @param descriptors the method's parameters and result in the JVM's spelling; one of them must be there
     */
    public Target hook(String method, Class<?> advice, String... descriptors) {
        List<Hook> more = new ArrayList<>(hooks);
        more.add(new Hook(method, Arrays.asList(descriptors), advice));
        return new Target(className, more, fields);
    }

    /** Requires a field, {@code name:descriptor}. */
    public Target field(String field) {
        List<String> more = new ArrayList<>(fields);
        more.add(field);
        return new Target(className, hooks, more);
    }

    /** The binary name of the class. */
    public String className() {
        return className;
    }

    List<Hook> hooks() {
        return hooks;
    }

    List<String> fields() {
        return fields;
    }

    /** One method and what is woven into it. */
    static final class Hook {
        final String method;
        final List<String> descriptors;
        final Class<?> advice;

        Hook(String method, List<String> descriptors, Class<?> advice) {
            this.method = method;
            this.descriptors = descriptors;
            this.advice = advice;
        }
    }
}
