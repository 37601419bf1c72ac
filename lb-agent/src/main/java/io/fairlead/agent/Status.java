package io.fairlead.agent;

import io.fairlead.observe.EndpointSnapshot;
import io.fairlead.observe.ServiceSnapshot;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * What the agent does: which clients were met, which services there are, what was sent where.
 *
 * <p>Safe for use from any thread.
 */
final class Status {
    private final Map<String, String> clients = new ConcurrentSkipListMap<>();
    private final String file;

    /** @param file the configuration file's path */
    Status(String file, Iterable<Client> known) {
        this.file = file;
        known.forEach(client -> clients.put(client.name(), "not used so far"));
    }

    /** A client was met and is hooked. */
    void hooked(String client) {
        clients.put(client, "hooked");
    }

    /** A client was met and is not hooked. */
    void leftAlone(String client, String why) {
        clients.put(client, "left alone: " + why);
    }

    /** All of it, as text of several lines. */
    String text(Services plain, Services secure) {
        StringBuilder text = new StringBuilder("configuration: " + file + "\nclients:\n");
        clients.forEach((client, state) ->
                text.append("  ").append(client).append(": ").append(state).append('\n'));
        text.append("services:\n");
        append(text, plain, "http");
        append(text, secure, "https");
        return text.toString();
    }

    private static void append(StringBuilder text, Services services, String scheme) {
        for (ServiceSnapshot service : services.snapshots()) {
            if (service.endpoints().isEmpty()) {
                continue;
            }
            text.append("  ")
                    .append(scheme)
                    .append("://")
                    .append(service.name())
                    .append(" by ")
                    .append(service.strategy())
                    .append(service.up() ? "" : ", down")
                    .append('\n');
            for (EndpointSnapshot server : service.endpoints()) {
                text.append("    ")
                        .append(server.id())
                        .append(server.up() ? ": up, " : ": down, ")
                        .append(server.fenced() ? "fenced, " : "")
                        .append(server.ejected() ? "ejected, " : "")
                        .append(server.picks())
                        .append(" requests, ")
                        .append(server.inFlight())
                        .append(" in flight, ")
                        .append(server.failures())
                        .append(" failures\n");
            }
        }
    }
}
