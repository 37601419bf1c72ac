package app;

import net.bytebuddy.ByteBuddy;
import net.bytebuddy.implementation.FixedValue;
import net.bytebuddy.matcher.ElementMatchers;

/** Makes a class by the application's own Byte Buddy. */
final class Subclass {
    private Subclass() {}

    static String make() throws Exception {
        return new ByteBuddy()
                .subclass(Object.class)
                .method(ElementMatchers.named("toString"))
                .intercept(FixedValue.value("made"))
                .make()
                .load(Subclass.class.getClassLoader())
                .getLoaded()
                .getDeclaredConstructor()
                .newInstance()
                .toString();
    }
}
