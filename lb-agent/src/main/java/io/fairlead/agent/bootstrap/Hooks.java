package io.fairlead.agent.bootstrap;

import java.util.Collections;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Finds the hook of a method that has been woven. What is found is held by the woven class itself, so that the agent
 * keeps no application's class loader alive.
 */
public final class Hooks {
    private static volatile @Nullable Function<Class<?>, Map<String, Hook>> provider;

    private static final Found FOUND = new Found();

    private Hooks() {}

    /** Begins the agent's work; until then woven code finds nothing. */
    public static void install(Function<Class<?>, Map<String, Hook>> agent) {
        provider = agent;
    }

    /**
     * The hook of a method.
     *
     * @param woven its class
     * @param id what the agent calls it
     * @return null: the call is to be left alone
     */
    public static @Nullable Hook find(Class<?> woven, String id) {
        return provider == null ? null : FOUND.get(woven).get(id);
    }

    /** Not private: what the compiler would add for it would be a class more. */
    static final class Found extends ClassValue<Map<String, Hook>> {
        Found() {}

        @Override
        protected Map<String, Hook> computeValue(Class<?> woven) {
            Function<Class<?>, Map<String, Hook>> asked = provider;
            try {
                return asked == null ? Collections.emptyMap() : asked.apply(woven);
            } catch (Throwable e) {
                Faults.report(e);
                return Collections.emptyMap();
            }
        }
    }
}
