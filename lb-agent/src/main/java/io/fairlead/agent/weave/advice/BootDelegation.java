package io.fairlead.agent.weave.advice;

import net.bytebuddy.asm.Advice;
import org.jspecify.annotations.Nullable;

/**
 * Woven into {@code loadClass} of a loader that hides the bootstrap loader's packages from its classes, as OSGi's do: the
 * agent's one is found. It names no class of the agent, which the loader's own loader may hide in its turn.
 */
public final class BootDelegation {
    private BootDelegation() {}

    @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
    static @Nullable Class<?> enter(@Advice.Argument(0) @Nullable String name) {
        if (name == null || !name.startsWith("io.fairlead.agent.bootstrap.")) {
            return null;
        }
        try {
            return Class.forName(name, false, null);
        } catch (ClassNotFoundException | SecurityException e) {
            // The loader says so itself, in its own way.
            return null;
        }
    }

    @Advice.OnMethodExit
    static void exit(
            @Advice.Enter @Nullable Class<?> found, @Advice.Return(readOnly = false) @Nullable Class<?> returned) {
        if (found != null) {
            returned = found;
        }
    }
}
