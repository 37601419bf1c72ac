package io.fairlead.agent.weave;

import io.fairlead.agent.weave.advice.Around;
import io.fairlead.agent.weave.advice.AroundVoid;
import io.fairlead.agent.weave.advice.Constructed;
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

    private final boolean optional;

    private Target(String className, List<Hook> hooks, List<String> fields, boolean optional) {
        this.className = className;
        this.hooks = hooks;
        this.fields = fields;
        this.optional = optional;
    }

    /** A class of any loader, by its binary name, so far without hooks. */
    public static Target of(String className) {
        return new Target(className, Collections.emptyList(), Collections.emptyList(), false);
    }

    /** The same, which some versions of the client lack. */
    public Target optional() {
        return new Target(className, hooks, fields, true);
    }

    /** A class of the bootstrap loader, by its binary name, so far without hooks. */
    public static Target jdkClass(String className) {
        return of(className);
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
        more.add(new Hook(method, Arrays.asList(descriptors), advice, "", true));
        return new Target(className, more, fields, optional);
    }

    /** The same where the class may lack the method. */
    Target hookIfThere(String method, Class<?> advice, String descriptor) {
        List<Hook> more = new ArrayList<>(hooks);
        more.add(new Hook(method, Collections.singletonList(descriptor), advice, "", false));
        return new Target(className, more, fields, optional);
    }

    /**
     * Hands a method over to a hook of the client's adapter.
     *
     * @param method the method's name; {@code <init>} for a constructor, whose hook is told at its end
     * @param id the hook's name
     * @param descriptors the method's parameters and result in the JVM's spelling; one of them must be there
     */
    public Target around(String method, String id, String... descriptors) {
        return around(method, id, true, descriptors);
    }

    /** The same where some versions of the client lack the method. */
    public Target aroundIfThere(String method, String id, String... descriptors) {
        return around(method, id, false, descriptors);
    }

    private Target around(String method, String id, boolean required, String... descriptors) {
        boolean isVoid = descriptors[0].endsWith(")V");
        Class<?> advice = method.equals("<init>") ? Constructed.class : isVoid ? AroundVoid.class : Around.class;
        List<Hook> more = new ArrayList<>(hooks);
        more.add(new Hook(method, Arrays.asList(descriptors), advice, id, required));
        return new Target(className, more, fields, optional);
    }

    /** Requires a field, {@code name:descriptor}. */
    public Target field(String field) {
        List<String> more = new ArrayList<>(fields);
        more.add(field);
        return new Target(className, hooks, more, optional);
    }

    /** The binary name of the class. */
    public String className() {
        return className;
    }

    /** Whether some versions of the client lack it. */
    public boolean isOptional() {
        return optional;
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
        /** What the adapter calls it; empty where the advice is the client's own. */
        final String id;

        final boolean required;

        Hook(String method, List<String> descriptors, Class<?> advice, String id, boolean required) {
            this.method = method;
            this.descriptors = descriptors;
            this.advice = advice;
            this.id = id;
            this.required = required;
        }
    }
}
