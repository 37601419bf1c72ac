package io.fairlead.agent.weave;

import io.fairlead.agent.Log;
import io.fairlead.agent.Privileged;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Sees every class that is loaded, and weaves into those that a client named. For all others it costs one look into a
 * map.
 */
public final class Weaver implements ClassFileTransformer {
    private final Map<String, Target> targets = new HashMap<>();
    private final Set<String> woven = ConcurrentHashMap.newKeySet();
    private volatile @Nullable Weaving weaving;
    private volatile boolean installed;

    /** A weaver of these classes. */
    public Weaver(Iterable<Target> classes) {
        for (Target target : classes) {
            targets.put(target.className().replace('.', '/'), target);
        }
    }

    /** Begins: classes that are loaded already are woven now, the others when they are loaded. */
    public void install(Instrumentation instrumentation) {
        instrumentation.addTransformer(this, true);
        for (Class<?> loaded : instrumentation.getAllLoadedClasses()) {
            if (loaded.getClassLoader() == null
                    && targets.containsKey(loaded.getName().replace('.', '/'))) {
                try {
                    instrumentation.retransformClasses(loaded);
                } catch (Exception | LinkageError e) {
                    Log.line(loaded.getName() + " was loaded before the agent and cannot be changed: " + e);
                }
            }
        }
        installed = true;
    }

    /** Whether all classes that were loaded before have had their turn; calls run meanwhile. */
    public boolean isInstalled() {
        return installed;
    }

    /** Whether a class has been woven. */
    public boolean isWoven(String className) {
        return woven.contains(className);
    }

    @Override
    public byte @Nullable [] transform(
            @Nullable ClassLoader loader,
            @Nullable String className,
            @Nullable Class<?> loaded,
            @Nullable ProtectionDomain domain,
            byte[] classFile) {
        Target target = className == null || loader != null ? null : targets.get(className);
        if (target == null) {
            return null;
        }
        try {
            byte[] result = Privileged.call(() -> weaving().weave(target, null, classFile));
            woven.add(target.className());
            Log.debug("woven: " + target.className());
            return result;
        } catch (ShapeException e) {
            Log.line(target.className() + " is left alone: " + e.getMessage());
        } catch (Throwable e) {
            // Whatever it is, the class must be loaded as it was.
            Log.line(target.className() + " is left alone: " + e);
        }
        woven.remove(target.className());
        return null;
    }

    private Weaving weaving() {
        Weaving known = weaving;
        if (known == null) {
            known = new Weaving(Weaver.class.getClassLoader());
            weaving = known;
        }
        return known;
    }
}
