package io.fairlead.agent;

import io.fairlead.agent.weave.Target;
import java.util.List;

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
     * Begins to work: woven code finds the client from here on.
     *
     * @param state tells which classes have been woven
     */
    void start(ClientContext state);
}
