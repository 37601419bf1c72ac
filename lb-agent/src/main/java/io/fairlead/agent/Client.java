package io.fairlead.agent;

import io.fairlead.agent.weave.Target;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP client that the agent knows: where it hooks in, which shape of it was studied, and how a try begins and ends.
 * Each client has a package of its own and is listed in {@link Clients}.
 */
public interface Client {
    /** What the client is called in messages. */
    String name();

    /** The classes to weave into, each with the shape that it must have. */
    List<Target> targets();

    /**
     * Begins to work: woven code finds the client from here on. Nothing is to be done where there is an {@link #adapter}.
     *
     * @param context what it is given to work with
     */
    default void start(ClientContext context) {}

    /**
     * The name of the client's {@link Adapter}; null: its hooks need none, since they use no class of a library.
     */
    default @Nullable String adapter() {
        return null;
    }
}
