package io.fairlead.agent.route;

import io.fairlead.agent.bootstrap.Crossing;
import io.fairlead.agent.bootstrap.Hook;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Gathers the hooks of an adapter. */
public final class HookMap {
    private final Map<String, Hook> hooks = new HashMap<>();

    /** Begins with none. */
    public HookMap() {}

    /** A hook that wants to know how the method ends. */
    public HookMap with(String id, Entering hook) {
        hooks.put(id, new Hook() {
            @Override
            public @Nullable Crossing enter(@Nullable Object self, @Nullable Object[] arguments) throws Exception {
                return hook.enter(self, arguments);
            }
        });
        return this;
    }

    /** A hook that only wants to know that the method is called, on which object. */
    public HookMap tell(String id, Telling hook) {
        return with(id, (self, arguments) -> {
            if (self != null) {
                hook.called(self);
            }
            return null;
        });
    }

    /** All of them. */
    public Map<String, Hook> build() {
        return Collections.unmodifiableMap(new HashMap<>(hooks));
    }

    /** See {@link Hook#enter}. */
    public interface Entering {
        /** The method is about to run. */
        @Nullable
        Crossing enter(@Nullable Object self, @Nullable Object[] arguments) throws Exception;
    }

    /** Is told of a call. */
    public interface Telling {
        /** The method of this object is about to run. */
        void called(Object self) throws Exception;
    }
}
