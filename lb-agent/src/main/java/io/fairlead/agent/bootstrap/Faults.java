package io.fairlead.agent.bootstrap;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Where woven code brings what it caught: a fault of the agent must not reach the application. */
public final class Faults {
    private static volatile @Nullable Consumer<Throwable> listener;

    private Faults() {}

    /** Sets who is told. */
    public static void listen(Consumer<Throwable> to) {
        listener = to;
    }

    /** Called by woven code; never throws. */
    public static void report(Throwable fault) {
        try {
            Consumer<Throwable> told = listener;
            if (told != null) {
                told.accept(fault);
            }
        } catch (Throwable e) {
            // Out of stack or memory, most likely; the call goes on, and there is nobody left to tell.
            return;
        }
    }
}
