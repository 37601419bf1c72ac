package io.fairlead.health;

/** What the active check has found of a server. */
public enum CheckState {
    /** No active check is configured. */
    UNCHECKED,
    /** There has been no verdict yet. */
    UNKNOWN,
    /** It passes its check. */
    UP,
    /** It has failed its check, and gets no requests. */
    DOWN
}
