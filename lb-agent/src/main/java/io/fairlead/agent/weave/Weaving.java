package io.fairlead.agent.weave;

import io.fairlead.agent.bootstrap.Faults;
import io.fairlead.agent.weave.advice.HookId;
import java.util.ArrayList;
import java.util.List;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.field.FieldDescription;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.dynamic.scaffold.MethodGraph;
import net.bytebuddy.dynamic.scaffold.TypeValidation;
import net.bytebuddy.implementation.bytecode.StackManipulation;
import net.bytebuddy.implementation.bytecode.member.MethodInvocation;
import net.bytebuddy.matcher.ElementMatchers;
import net.bytebuddy.pool.TypePool;
import org.jspecify.annotations.Nullable;

/**
 * The use of Byte Buddy. A class is described by its class file alone, and "decorated": its supertypes are not looked
 * up, since another agent may have given it an interface that no class file can be found for, and its format does not
 * change, so that it can be woven when it has been loaded already.
 *
 * <p>Apart from {@link Weaver} so that Byte Buddy is loaded when the first class is woven, not before.
 */
final class Weaving {
    private final ClassFileLocator adviceLocator;
    /** What advice throws goes to {@link Faults}. */
    private final StackManipulation report;

    Weaving(ClassLoader adviceLoader) {
        adviceLocator = ClassFileLocator.ForClassLoader.of(adviceLoader);
        report = report();
    }

    private static StackManipulation report() {
        TypeDescription faults = TypeDescription.ForLoadedType.of(Faults.class);
        return MethodInvocation.invoke(faults.getDeclaredMethods()
                .filter(ElementMatchers.named("report"))
                .getOnly());
    }

    /** The class file with the advice of its target in it. */
    byte[] weave(Target target, @Nullable ClassLoader loader, byte[] classFile) throws ShapeException {
        ClassFileLocator locator = new ClassFileLocator.Compound(
                ClassFileLocator.Simple.of(target.className(), classFile),
                loader == null
                        ? ClassFileLocator.ForClassLoader.ofBootLoader()
                        : ClassFileLocator.ForClassLoader.of(loader));
        TypePool pool = TypePool.Default.WithLazyResolution.of(locator);
        TypeDescription type = pool.describe(target.className()).resolve();
        checkFields(target, type);
        DynamicType.Builder<?> builder = new ByteBuddy()
                .with(TypeValidation.DISABLED)
                .with(MethodGraph.Compiler.ForDeclaredMethods.INSTANCE)
                .decorate(type, locator);
        for (Target.Hook hook : target.hooks()) {
            MethodDescription method = method(hook, type);
            if (method != null) {
                builder = builder.visit(Advice.withCustomMapping()
                        .bind(HookId.class, hook.id)
                        .to(hook.advice, adviceLocator)
                        .withExceptionHandler(report)
                        .on(ElementMatchers.is(method)));
            }
        }
        try (DynamicType.Unloaded<?> woven = builder.make()) {
            return woven.getBytes();
        }
    }

    private static @Nullable MethodDescription method(Target.Hook hook, TypeDescription type) throws ShapeException {
        List<MethodDescription> found = new ArrayList<>();
        for (MethodDescription method : type.getDeclaredMethods()) {
            if (method.getInternalName().equals(hook.method) && hook.descriptors.contains(method.getDescriptor())) {
                found.add(method);
            }
        }
        if (found.isEmpty() && !hook.required) {
            return null;
        }
        if (found.size() != 1) {
            throw new ShapeException("its method " + hook.method + " is not one that is known");
        }
        return found.get(0);
    }

    private static void checkFields(Target target, TypeDescription type) throws ShapeException {
        for (String wanted : target.fields()) {
            boolean found = false;
            for (FieldDescription field : type.getDeclaredFields()) {
                found |= wanted.equals(field.getName() + ":" + field.getDescriptor());
            }
            if (!found) {
                throw new ShapeException("it has no field " + wanted);
            }
        }
    }
}
