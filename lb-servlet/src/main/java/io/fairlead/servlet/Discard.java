package io.fairlead.servlet;

import java.io.IOException;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.util.thread.Invocable;

/** Reads an answer off that nobody wants; a long one is given up, and its connection with it. */
final class Discard implements Invocable.Task {
    private static final long MOST = 64 * 1024;

    private final Content.Source source;
    private final Try owner;
    private long read;

    Discard(Content.Source source, Try owner) {
        this.source = source;
        this.owner = owner;
    }

    @Override
    public InvocationType getInvocationType() {
        return InvocationType.NON_BLOCKING;
    }

    @Override
    public void run() {
        while (true) {
            Content.Chunk chunk = source.read();
            if (chunk == null) {
                source.demand(this);
                return;
            }
            if (Content.Chunk.isFailure(chunk)) {
                return;
            }
            read += chunk.remaining();
            boolean last = chunk.isLast();
            chunk.release();
            if (last) {
                return;
            }
            if (read > MOST) {
                Leftovers.readOff(source, owner::disconnect);
                owner.cancel(new IOException("an answer that nobody wants is too long to be read off"));
                return;
            }
        }
    }
}
