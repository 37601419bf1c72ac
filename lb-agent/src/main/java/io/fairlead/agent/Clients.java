package io.fairlead.agent;

import io.fairlead.agent.urlconnection.UrlConnectionClient;
import java.util.Collections;
import java.util.List;

/** The clients that the agent knows. */
final class Clients {
    private Clients() {}

    static List<Client> all() {
        return Collections.singletonList(new UrlConnectionClient());
    }
}
