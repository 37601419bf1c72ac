package io.fairlead.agent.bootstrap;

import org.jspecify.annotations.Nullable;

/**
 * What the agent does at one method of a client; woven code calls it. What it throws is reported to {@link Faults} and
 * leaves the call as it is.
 */
public abstract class Hook {
    /** For the agent. */
    protected Hook() {}

    /**
     * The method is about to run. Of a constructor: it has run, and the answer is not used.
     *
     * @param self the object; null: the method is static
     * @param arguments those of the method, which may be replaced
     * @return is told how the method ended; a {@link Skip} is taken for the method's end; null: nobody wants to know
     */
    public abstract @Nullable Crossing enter(@Nullable Object self, @Nullable Object[] arguments) throws Exception;
}
