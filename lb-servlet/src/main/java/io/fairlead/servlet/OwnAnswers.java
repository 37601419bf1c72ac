package io.fairlead.servlet;

import io.fairlead.servlet.log.AccessEntry.End;
import java.io.IOException;

/**
 * Writes the answers of the proxy's own: at once where the container's buffer takes them, and else by a thread that may
 * wait for the client. When there is to be one, and which, is settled by others.
 *
 * <p>Safe for use from any thread; of the threads that would answer, the one does that has won the exchange's end.
 */
final class OwnAnswers {
    /** So much the container's buffers take at once. */
    private static final int DIRECT_BYTES = 4 * 1024;

    private final Incoming incoming;
    private final ClientSide client;

    OwnAnswers(Incoming incoming, ClientSide client) {
        this.incoming = incoming;
        this.client = client;
    }

    /** Whether the container's buffer takes the answer, so that nobody waits for the client. */
    boolean isTakenAtOnce(Head own) {
        return !client.hasBody()
                && own.ownLength() <= DIRECT_BYTES
                && own.transforms().isEmpty();
    }

    /** Writes one that is taken at once; by the container's thread, while the request is not asynchronous. */
    void writeAtOnce(Head own) throws IOException {
        incoming.ends(End.OWN_ANSWER);
        int length = own.writeTo(incoming.response(), false);
        AccessRecord record = incoming.record();
        if (record != null) {
            record.answeredByProxy(length);
        }
        incoming.routed().end();
    }

    /** Writes one, and ends the request by it; for who has won the end. */
    void finish(Head last) {
        client.afterInterim(() -> finishNow(last));
    }

    private void finishNow(Head last) {
        RequestBody reading = client.body();
        if (isTakenAtOnce(last) || (reading != null && reading.isToldByContainer())) {
            writeAndComplete(last);
        } else {
            client.elsewhere(() -> writeAndComplete(last));
        }
    }

    private void writeAndComplete(Head last) {
        try {
            client.write(last);
        } finally {
            client.complete();
        }
    }
}
