package io.fairlead.agent.bootstrap;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Where the agent that is at work can be asked what it does, by one that is attached to ask. */
public final class Report {
    private static volatile @Nullable Supplier<String> source;

    private Report() {}

    /** Sets who is asked. */
    public static void from(Supplier<String> agent) {
        source = agent;
    }

    /** What the agent does, several lines of text; null: it has not begun. */
    public static @Nullable String text() {
        Supplier<String> asked = source;
        return asked == null ? null : asked.get();
    }
}
