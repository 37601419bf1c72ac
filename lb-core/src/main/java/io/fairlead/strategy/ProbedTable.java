package io.fairlead.strategy;

import io.fairlead.Tried;

/**
 * A table whose order of choices for a key is a walk: over the points of a ring, the slots of a table, or a chain of
 * hashes.
 */
abstract class ProbedTable extends KeyTable {
    /** So many steps are walked; a walk that has not found an open server by then goes on through the list. */
    private static final int MAX_STEPS = 4096;

    /** Where the walk for this hash begins. */
    abstract long first(long hash);

    /** The place after this one. */
    abstract long next(long place);

    /** Whose place this is. */
    abstract int serverAt(long place);

    @Override
    int home(long hash) {
        return serverAt(first(hash));
    }

    @Override
    final int search(long hash, HashPicker picker, Tried tried, long total) {
        long place = first(hash);
        int server = serverAt(place);
        int untried = -1;
        int checked = -1;
        // With every server tried there is no use in walking.
        int steps = tried.size() < picker.size() ? MAX_STEPS : 0;
        for (int i = 0; i < steps; i++) {
            // A server of great weight may hold many places in a row.
            if (server != checked && !picker.isTried(server, tried)) {
                if (picker.isWithinBound(server, total)) {
                    return server;
                }
                untried = untried < 0 ? server : untried;
            }
            checked = server;
            place = next(place);
            server = serverAt(place);
        }
        for (int i = 0; i < picker.size(); i++) {
            if (!picker.isTried(server, tried)) {
                if (picker.isWithinBound(server, total)) {
                    return server;
                }
                untried = untried < 0 ? server : untried;
            }
            server = server + 1 == picker.size() ? 0 : server + 1;
        }
        return untried;
    }
}
