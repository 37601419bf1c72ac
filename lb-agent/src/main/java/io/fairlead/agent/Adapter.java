package io.fairlead.agent;

import io.fairlead.agent.bootstrap.Hook;
import java.util.Map;

/**
 * What a client's hooks do, written against the client's own classes. An adapter and the classes of its package are
 * loaded once for each loader that has the client, by a loader that sees both the client and the agent; see
 * {@link Adapters}. It has a constructor without parameters.
 */
public interface Adapter {
    /**
     * Its hooks by the names that its client's targets give them.
     *
     * @param context what it is given to work with
     * @throws Exception the client is not as it should be, and is left alone; the message says why
     */
    Map<String, Hook> hooks(ClientContext context) throws Exception;
}
