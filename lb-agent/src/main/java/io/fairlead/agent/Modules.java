package io.fairlead.agent;

import java.lang.instrument.Instrumentation;
import java.lang.reflect.Method;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Opens the JDK's modules where the agent must look inside, by reflection, since Java 8 knows no modules. */
final class Modules {
    private final @Nullable Instrumentation instrumentation;

    private Modules(@Nullable Instrumentation instrumentation) {
        this.instrumentation = instrumentation;
    }

    /** The modules of this JVM; on Java 8 there are none, and nothing to do. */
    static Modules of(Instrumentation instrumentation) {
        try {
            Class.forName("java.lang.Module");
            return new Modules(instrumentation);
        } catch (ClassNotFoundException e) {
            return new Modules(null);
        }
    }

    /** Lets a class of the agent call the public methods of a package of the JDK's base module. */
    void exportBase(String packageName, Class<?> to) throws ReflectiveOperationException {
        if (instrumentation != null) {
            Set<Object> target = Collections.singleton(module(to));
            redefine(
                    module(Object.class),
                    Collections.emptySet(),
                    Collections.singletonMap(packageName, target),
                    Collections.emptyMap());
        }
    }

    /** Lets a class of the agent see everything of a package of a JDK's module, given by a class of the module. */
    void open(Class<?> inModule, String packageName, Class<?> to) throws ReflectiveOperationException {
        if (instrumentation != null) {
            Set<Object> target = Collections.singleton(module(to));
            redefine(
                    module(inModule),
                    Collections.emptySet(),
                    Collections.emptyMap(),
                    Collections.singletonMap(packageName, target));
        }
    }

    /** Lets a class that is woven call classes of the bootstrap loader that belong to no module. */
    void letRead(Class<?> woven, Class<?> bootstrap) throws ReflectiveOperationException {
        if (instrumentation != null) {
            redefine(
                    module(woven),
                    Collections.singleton(module(bootstrap)),
                    Collections.emptyMap(),
                    Collections.emptyMap());
        }
    }

    private void redefine(
            Object module, Set<Object> reads, Map<String, Set<Object>> exports, Map<String, Set<Object>> opens)
            throws ReflectiveOperationException {
        Method redefine = Instrumentation.class.getMethod(
                "redefineModule",
                Class.forName("java.lang.Module"),
                Set.class,
                Map.class,
                Map.class,
                Set.class,
                Map.class);
        Set<Class<?>> noUses = Collections.emptySet();
        Map<Class<?>, List<Class<?>>> noProvides = Collections.emptyMap();
        redefine.invoke(instrumentation, module, reads, exports, opens, noUses, noProvides);
    }

    private static Object module(Class<?> type) throws ReflectiveOperationException {
        return Class.class.getMethod("getModule").invoke(type);
    }
}
