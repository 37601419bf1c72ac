package io.fairlead.servlet.log;

/** How an entry is written. */
interface LogFormat {
    /** Appends the entry as one line with its end. */
    void append(StringBuilder line, AccessEntry entry, long count);
}
