package io.fairlead.agent.bootstrap;

import org.jspecify.annotations.Nullable;

/** Stands for the run of a method: woven code skips it and gives this answer. */
public final class Skip extends Crossing {
    private final @Nullable Object value;
    private final @Nullable Throwable exception;

    private Skip(@Nullable Object value, @Nullable Throwable exception) {
        this.value = value;
        this.exception = exception;
    }

    /** The method returns this. */
    public static Skip returning(@Nullable Object value) {
        return new Skip(value, null);
    }

    /** The method throws this. */
    public static Skip throwing(Throwable exception) {
        return new Skip(null, exception);
    }

    @Override
    public void exit(@Nullable Object[] arguments) {
        returned = value;
        thrown = exception;
    }
}
