package io.fairlead.agent.weave;

import io.fairlead.agent.Log;
import io.fairlead.agent.Privileged;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Sees every class that is loaded, and weaves into those that a client named. For all others it costs one look into a
 * map.
 */
public final class Weaver implements ClassFileTransformer {
    private final Map<String, Target> targets = new HashMap<>();
    /** By the loader; an application's own is not kept alive by this. */
    private final Map<ClassLoader, Set<String>> woven = Collections.synchronizedMap(new WeakHashMap<>());

    private final Set<String> wovenInJdk = ConcurrentHashMap.newKeySet();
    private volatile @Nullable Weaving weaving;
    private volatile @Nullable HidingLoaders loaders;
    private volatile boolean installed;

    /** A weaver of these classes. */
    public Weaver(Iterable<Target> classes) {
        for (Target target : classes) {
            targets.put(target.className().replace('.', '/'), target);
        }
    }

    /** Begins: classes that are loaded already are woven now, the others when they are loaded. */
    public void install(Instrumentation instrumentation) {
        loaders = new HidingLoaders(instrumentation);
        instrumentation.addTransformer(this, true);
        for (Class<?> loaded : instrumentation.getAllLoadedClasses()) {
            if (targets.containsKey(loaded.getName().replace('.', '/'))) {
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

    /** Whether a class of the JDK has been woven. */
    public boolean isWoven(String className) {
        return wovenInJdk.contains(className);
    }

    /** Whether a class has been woven. */
    public boolean isWoven(Class<?> type) {
        return in(type.getClassLoader()).contains(type.getName());
    }

    private Set<String> in(@Nullable ClassLoader loader) {
        return loader == null ? wovenInJdk : woven.computeIfAbsent(loader, key -> ConcurrentHashMap.newKeySet());
    }

    @Override
    public byte @Nullable [] transform(
            @Nullable ClassLoader loader,
            @Nullable String className,
            @Nullable Class<?> loaded,
            @Nullable ProtectionDomain domain,
            byte[] classFile) {
        Target target = className == null ? null : target(className, loaded);
        if (target == null) {
            return null;
        }
        Set<String> done = in(loader);
        try {
            byte @Nullable [] result = Privileged.call(() -> {
                return targets.containsKey(className) && !canSee(loader)
                        ? null
                        : weaving().weave(target, loader, classFile);
            });
            if (result != null) {
                done.add(target.className());
                Log.debug("woven: " + target.className());
            }
            return result;
        } catch (ShapeException e) {
            Log.line(target.className() + " is left alone: " + e.getMessage());
        } catch (Throwable e) {
            // Whatever it is, the class must be loaded as it was.
            Log.line(target.className() + " is left alone: " + e);
        }
        done.remove(target.className());
        return null;
    }

    private @Nullable Target target(String className, @Nullable Class<?> loaded) {
        Target target = targets.get(className);
        HidingLoaders hiding = loaders;
        return target == null && loaded != null && hiding != null ? hiding.target(loaded) : target;
    }

    private boolean canSee(@Nullable ClassLoader loader) {
        HidingLoaders hiding = loaders;
        return hiding != null && hiding.canSee(loader);
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
