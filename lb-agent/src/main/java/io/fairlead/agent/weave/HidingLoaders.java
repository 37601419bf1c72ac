package io.fairlead.agent.weave;

import io.fairlead.agent.Log;
import io.fairlead.agent.bootstrap.Hooks;
import io.fairlead.agent.weave.advice.BootDelegation;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Loaders that hide the bootstrap loader's packages from what they load, as OSGi's do. Woven code calls classes of one of
 * these packages, so such a loader is changed to find it.
 *
 * <p>Safe for use from any thread.
 */
final class HidingLoaders {
    private static final long PATIENCE_MILLIS = 10_000;

    private final Instrumentation instrumentation;
    /** Classes of loaders; they are changed again whenever another agent has them changed. */
    private final Set<Class<?>> changed = Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    HidingLoaders(Instrumentation instrumentation) {
        this.instrumentation = instrumentation;
    }

    /** Whether classes of this loader can see the agent's bootstrap package, once the loader has been changed if need be. */
    boolean canSee(@Nullable ClassLoader loader) {
        if (loader == null || sees(loader)) {
            return true;
        }
        change(loader.getClass());
        if (sees(loader)) {
            return true;
        }
        Log.once("clients loaded by a " + loader.getClass().getName() + " are left alone: it hides the package "
                + "io.fairlead.agent.bootstrap of the bootstrap loader");
        return false;
    }

    /** What is to be woven into a class of a loader; null: it is none that was changed. */
    @Nullable
    Target target(Class<?> type) {
        return changed.contains(type)
                ? Target.of(type.getName())
                        .hookIfThere("loadClass", BootDelegation.class, "(Ljava/lang/String;)Ljava/lang/Class;")
                        .hookIfThere("loadClass", BootDelegation.class, "(Ljava/lang/String;Z)Ljava/lang/Class;")
                : null;
    }

    /**
     * On a thread of its own, and waits for it: this one is in the midst of changing a class, and the JVM does not ask
     * anybody to change another on the same thread meanwhile.
     */
    private void change(Class<?> loader) {
        Thread changing = new Thread(() -> changeAll(loader), "fairlead-loader");
        changing.setDaemon(true);
        changing.start();
        try {
            changing.join(PATIENCE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void changeAll(Class<?> loader) {
        for (Class<?> type = loader; type != null && type.getClassLoader() != null; type = type.getSuperclass()) {
            if (changed.add(type)) {
                try {
                    instrumentation.retransformClasses(type);
                } catch (UnmodifiableClassException | RuntimeException | LinkageError e) {
                    Log.debug(type.getName() + " cannot be changed: " + e);
                }
            }
        }
    }

    private static boolean sees(ClassLoader loader) {
        try {
            return Class.forName(Hooks.class.getName(), false, loader) == Hooks.class;
        } catch (ClassNotFoundException | LinkageError e) {
            return false;
        }
    }
}
