package io.fairlead.agent.weave.advice;

import io.fairlead.agent.bootstrap.Crossing;
import io.fairlead.agent.bootstrap.Hook;
import io.fairlead.agent.bootstrap.Hooks;
import io.fairlead.agent.bootstrap.Skip;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.implementation.bytecode.assign.Assigner;
import org.jspecify.annotations.Nullable;

/** Woven around a method that returns something. */
public final class Around {
    private Around() {}

    @Advice.OnMethodEnter(suppress = Throwable.class, skipOn = Skip.class)
    static @Nullable Crossing enter(
            @HookId String id,
            @Advice.Origin Class<?> type,
            @Advice.This(optional = true) @Nullable Object self,
            @Advice.AllArguments(readOnly = false, typing = Assigner.Typing.DYNAMIC) @Nullable Object[] arguments)
            throws Exception {
        Hook hook = Hooks.find(type, id);
        if (hook == null) {
            return null;
        }
        @Nullable Object[] changed = arguments;
        Crossing crossing = hook.enter(self, changed);
        arguments = changed;
        return crossing;
    }

    @Advice.OnMethodExit(
            suppress = Throwable.class,
            onThrowable = Throwable.class,
            backupArguments = false,
            repeatOn = Advice.OnNonDefaultValue.class)
    static boolean exit(
            @Advice.Enter @Nullable Crossing crossing,
            @Advice.AllArguments(readOnly = false, typing = Assigner.Typing.DYNAMIC) @Nullable Object[] arguments,
            @Advice.Return(readOnly = false, typing = Assigner.Typing.DYNAMIC) @Nullable Object returned,
            @Advice.Thrown(readOnly = false) @Nullable Throwable thrown)
            throws Exception {
        if (crossing == null) {
            return false;
        }
        @Nullable Object[] changed = arguments;
        crossing.returned = returned;
        crossing.thrown = thrown;
        crossing.again = false;
        crossing.exit(changed);
        if (crossing.again) {
            arguments = changed;
            return true;
        }
        returned = crossing.returned;
        thrown = crossing.thrown;
        return false;
    }
}
