package io.fairlead.strategy;

import io.fairlead.Tried;

/**
 * From the hash of a key to a server, as an index into the servers sorted by id.
 *
 * <p>Immutable, and a pure function of ids and weights.
 */
abstract class KeyTable {
    /** The first choice. */
    abstract int home(long hash);

    /**
     * The first choice that has not been tried and is within its bound; else the first that has not been tried; -1 where
     * all have been.
     */
    abstract int search(long hash, HashPicker picker, Tried tried, long total);
}
