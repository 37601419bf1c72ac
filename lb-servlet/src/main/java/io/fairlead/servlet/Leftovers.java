package io.fairlead.servlet;

import org.eclipse.jetty.io.Content;

/**
 * Reads off what has come of an answer that nobody wants: Jetty's client gives its buffer back only when it finds it
 * empty. A server that sends faster than it is read off is stopped by an end of its connection, which the answer is going
 * to have anyway.
 */
final class Leftovers {
    private static final int CHUNKS = 32;

    private Leftovers() {}

    /** @param disconnect closes the connection that the answer comes by */
    static void readOff(Content.Source source, Runnable disconnect) {
        if (!isEmptied(source)) {
            disconnect.run();
            isEmptied(source);
        }
    }

    private static boolean isEmptied(Content.Source source) {
        for (int i = 0; i < CHUNKS; i++) {
            Content.Chunk chunk = source.read();
            if (chunk == null || Content.Chunk.isFailure(chunk)) {
                return true;
            }
            boolean last = chunk.isLast();
            chunk.release();
            if (last) {
                return true;
            }
        }
        return false;
    }
}
