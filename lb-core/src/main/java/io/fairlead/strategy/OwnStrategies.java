package io.fairlead.strategy;

import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds strategies of the user's own: by name through {@link ServiceLoader}, or by class name. */
final class OwnStrategies {
    private final List<ClassLoader> loaders;

    private OwnStrategies(List<ClassLoader> loaders) {
        this.loaders = loaders;
    }

    /** What the calling thread's class loader sees, then what this library's own does. */
    static OwnStrategies ofThisThread() {
        Set<ClassLoader> loaders = new LinkedHashSet<>();
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        if (context != null) {
            loaders.add(context);
        }
        ClassLoader own = Strategy.class.getClassLoader();
        if (own != null) {
            loaders.add(own);
        }
        return new OwnStrategies(new ArrayList<>(loaders));
    }

    /** A new instance of the provider that has this name, without case; null where there is none. */
    @Nullable
    Strategy byName(String name) {
        for (Strategy strategy : all()) {
            if (strategy.name().equalsIgnoreCase(name)) {
                return strategy;
            }
        }
        return null;
    }

    List<String> names() {
        List<String> names = new ArrayList<>();
        for (Strategy strategy : all()) {
            names.add(strategy.name());
        }
        return names;
    }

    /** An instance of this class; null where no class has the name. */
    @Nullable
    Strategy byClass(String className) {
        if (!isClassName(className)) {
            return null;
        }
        for (ClassLoader loader : loaders) {
            Class<?> found = find(className, loader);
            if (found != null) {
                return instance(found);
            }
        }
        return null;
    }

    private static boolean isClassName(String name) {
        return name.indexOf('.') > 0 && name.chars().allMatch(c -> c == '.' || Character.isJavaIdentifierPart(c));
    }

    private List<Strategy> all() {
        List<Strategy> strategies = new ArrayList<>();
        for (ClassLoader loader : loaders) {
            try {
                Iterator<Strategy> providers =
                        ServiceLoader.load(Strategy.class, loader).iterator();
                while (providers.hasNext()) {
                    strategies.add(providers.next());
                }
            } catch (ServiceConfigurationError e) {
                throw new IllegalArgumentException(
                        "a strategy of META-INF/services cannot be loaded: " + e.getMessage(), e);
            }
        }
        return strategies;
    }

    private static @Nullable Class<?> find(String className, ClassLoader loader) {
        try {
            return Class.forName(className, false, loader);
        } catch (ClassNotFoundException e) {
            return null; // Not here; the caller says so once no loader has it.
        } catch (LinkageError e) {
            throw new IllegalArgumentException("strategy " + className + " cannot be loaded: " + e, e);
        }
    }

    private static Strategy instance(Class<?> found) {
        if (!Strategy.class.isAssignableFrom(found)) {
            throw new IllegalArgumentException(
                    "strategy " + found.getName() + " does not implement " + Strategy.class.getName());
        }
        try {
            return (Strategy) found.getConstructor().newInstance();
        } catch (InvocationTargetException e) {
            throw new IllegalArgumentException(
                    "strategy " + found.getName() + " cannot be made: " + e.getCause(), e.getCause());
        } catch (ReflectiveOperationException | LinkageError e) {
            throw new IllegalArgumentException(
                    "strategy " + found.getName()
                            + " has to be a public class with a public constructor without arguments",
                    e);
        }
    }
}
