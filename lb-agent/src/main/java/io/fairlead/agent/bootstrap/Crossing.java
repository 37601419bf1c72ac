package io.fairlead.agent.bootstrap;

import org.jspecify.annotations.Nullable;

/** One run of a method that is hooked. */
public abstract class Crossing {
    /** What the method returned, and is to return. */
    public @Nullable Object returned;
    /** What the method threw, and is to throw; null: it returns. */
    public @Nullable Throwable thrown;
    /** Set by {@link #exit}: the method is to run again, with the arguments as they are then. */
    public boolean again;

    /** For the agent. */
    protected Crossing() {}

    /**
     * The method has ended, as {@link #returned} and {@link #thrown} say.
     *
     * @param arguments those of the method, to be replaced where it is to run again
     */
    public abstract void exit(@Nullable Object[] arguments) throws Exception;
}
