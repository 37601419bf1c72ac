package io.fairlead.health;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The bytes to and from one server, plain or by TLS, over a channel that never blocks. Belongs to one thread at a time. */
interface Transport {
    /** Goes on with the handshake; true when there is none, or it is over. Else {@link #task} or {@link #ops} tell why. */
    boolean handshake() throws IOException;

    /** Sends what it can; true when all is sent. */
    boolean write(ByteBuffer from) throws IOException;

    /** Reads what has come: how many bytes, 0 when there are none yet, -1 when there will be none. */
    int read(ByteBuffer to) throws IOException;

    /** What the channel must become ready for before the step that stopped can go on: operations of a selection key. */
    int ops();

    /** Work that must be done first, and not on the thread of the channels; null: there is none. */
    @Nullable
    Runnable task();
}
