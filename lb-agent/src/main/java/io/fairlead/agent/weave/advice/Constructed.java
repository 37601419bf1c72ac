package io.fairlead.agent.weave.advice;

import io.fairlead.agent.bootstrap.Hook;
import io.fairlead.agent.bootstrap.Hooks;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.implementation.bytecode.assign.Assigner;
import org.jspecify.annotations.Nullable;

/** Woven into the end of a constructor. */
public final class Constructed {
    private Constructed() {}

    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(
            @HookId String id,
            @Advice.Origin Class<?> type,
            @Advice.This Object self,
            @Advice.AllArguments(typing = Assigner.Typing.DYNAMIC) @Nullable Object[] arguments)
            throws Exception {
        Hook hook = Hooks.find(type, id);
        if (hook != null) {
            hook.enter(self, arguments);
        }
    }
}
