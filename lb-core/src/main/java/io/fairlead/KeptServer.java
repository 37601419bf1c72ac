package io.fairlead;

import org.jspecify.annotations.Nullable;

/** The server that a client is kept on. */
final class KeptServer {
    private KeptServer() {}

    /**
     * The server of an id, if a request can be sent to it.
     *
     * @return null when there is no such server, when the request has been sent to it, and when no request would be sent
     *     to it at present: it has no weight, is fenced, down, ejected or passed over, or a backup that is not needed
     */
    static @Nullable Node find(Roster roster, String id, Tried tried) {
        Node node = roster.nodes.get(id);
        if (node == null || tried.contains(node.id()) || !isUsable(node)) {
            return null;
        }
        return node.endpoint.backup() && hasBetter(roster) ? null : node;
    }

    private static boolean hasBetter(Roster roster) {
        for (Node other : roster.nodes.values()) {
            if (!other.endpoint.backup() && isUsable(other)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isUsable(Node node) {
        // A server whose fence is changing may be open by its mark and barred still, and would be turned away for ever.
        return node.isUsable() && !node.state.barred && !node.state.health.isBackedOff();
    }
}
