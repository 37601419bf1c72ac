package io.fairlead.agent.weave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.agent.bootstrap.Faults;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;
import java.util.Collections;
import java.util.concurrent.atomic.AtomicReference;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.dynamic.loading.ByteArrayClassLoader;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.Opcodes;
import org.junit.jupiter.api.Test;

final class WeavingTest {
    private static final String SAMPLE = Sample.class.getName();
    private static final Target TARGET = Target.jdkClass(SAMPLE).hook("twice", PlusOne.class, "(I)I");

    private final ClassLoader loader = WeavingTest.class.getClassLoader();
    private final Weaving weaving = new Weaving(loader);

    @Test
    void adviceIsWovenIn() throws Exception {
        assertThat(callTwice(weaving.weave(TARGET, loader, classFile()), 5)).isEqualTo(12);
    }

    @Test
    void aClassWithAnInterfaceThatCannotBeFoundIsWoven() throws Exception {
        byte[] marked = withInterface(classFile(), "io/other/agent/Marker");

        byte[] woven = weaving.weave(TARGET, loader, marked);
        assertThat(new ClassReader(woven).getInterfaces()).contains("io/other/agent/Marker");
    }

    @Test
    void whatAdviceThrowsIsReportedAndDoesNotReachTheCaller() throws Exception {
        AtomicReference<Throwable> fault = new AtomicReference<>();
        Faults.listen(fault::set);
        Target target = Target.jdkClass(SAMPLE).hook("twice", Broken.class, "(I)I");

        assertThat(callTwice(weaving.weave(target, loader, classFile()), 5)).isEqualTo(10);
        assertThat(fault.get()).hasMessage("a fault");
    }

    @Test
    void oneOfSeveralKnownShapesIsEnough() throws Exception {
        Target target = Target.jdkClass(SAMPLE).hook("twice", PlusOne.class, "(J)J", "(I)I");

        assertThat(callTwice(weaving.weave(target, loader, classFile()), 5)).isEqualTo(12);
    }

    @Test
    void anotherShapeIsRefused() {
        Target method = Target.jdkClass(SAMPLE).hook("twice", PlusOne.class, "(J)J");
        assertThatThrownBy(() -> weaving.weave(method, loader, classFile()))
                .isInstanceOf(ShapeException.class)
                .hasMessageContaining("twice");
        Target field = TARGET.field("count:J");
        assertThatThrownBy(() -> weaving.weave(field, loader, classFile()))
                .isInstanceOf(ShapeException.class)
                .hasMessageContaining("count:J");
        assertThat(TARGET.field("count:I").fields()).isEqualTo(Arrays.asList("count:I"));
    }

    private Object callTwice(byte[] woven, int argument) throws ReflectiveOperationException {
        ByteArrayClassLoader child =
                new ByteArrayClassLoader.ChildFirst(loader, Collections.singletonMap(SAMPLE, woven));
        try {
            return child.loadClass(SAMPLE).getMethod("twice", int.class).invoke(null, argument);
        } catch (InvocationTargetException e) {
            throw new AssertionError(e.getCause());
        }
    }

    private static byte[] classFile() {
        return ClassFileLocator.ForClassLoader.read(Sample.class);
    }

    private static byte[] withInterface(byte[] classFile, String added) {
        ClassWriter writer = new ClassWriter(0);
        new ClassReader(classFile)
                .accept(
                        new ClassVisitor(Opcodes.ASM9, writer) {
                            @Override
                            public void visit(
                                    int version,
                                    int access,
                                    String name,
                                    String signature,
                                    String parent,
                                    String[] of) {
                                super.visit(version, access, name, signature, parent, new String[] {added});
                            }
                        },
                        0);
        return writer.toByteArray();
    }

    /** Is woven into. */
    public static final class Sample {
        static int count;

        private Sample() {}

        /** Twice the number. */
        public static int twice(int number) {
            count++;
            return 2 * number;
        }
    }

    /** Adds one to the argument. */
    public static final class PlusOne {
        private PlusOne() {}

        @Advice.OnMethodEnter(suppress = Throwable.class)
        static void enter(@Advice.Argument(value = 0, readOnly = false) int number) {
            number = number + 1;
        }
    }

    /** Throws. */
    public static final class Broken {
        private Broken() {}

        @Advice.OnMethodEnter(suppress = Throwable.class)
        static void enter(@Advice.Argument(0) int number) {
            if (number > 0) {
                throw new IllegalStateException("a fault");
            }
        }
    }
}
