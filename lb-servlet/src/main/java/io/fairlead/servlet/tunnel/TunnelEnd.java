package io.fairlead.servlet.tunnel;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.eclipse.jetty.util.Callback;

/**
 * One end of a tunnel: a connection whose bytes are read and written without blocking. At most one read is waited for,
 * and one write under way, at a time.
 */
public interface TunnelEnd {
    /**
     * Appends what has come.
     *
     * @param into in flush mode, as Jetty's buffers are: what is in it stands between position and limit
     * @return how many bytes; 0: none yet; -1: the peer will send no more
     * @throws IOException the connection is broken
     */
    int read(ByteBuffer into) throws IOException;

    /** Calls back, once and perhaps from another thread, when {@link #read} is worth another try, or has failed. */
    void whenReadable(Callback callback);

    /** Writes all of these bytes, and calls back when that is done, perhaps before this method returns. */
    void write(ByteBuffer bytes, Callback callback);

    /** Tells the peer that nothing more will come, after what was written. */
    void shutdownOutput();

    /** Closes the connection, whatever is under way; more than once without harm. */
    void close();
}
