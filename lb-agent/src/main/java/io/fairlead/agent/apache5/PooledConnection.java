package io.fairlead.agent.apache5;

import io.fairlead.agent.Log;
import java.io.IOException;
import java.lang.reflect.Field;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hc.core5.http.io.BHttpConnection;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.io.ModalCloseable;
import org.apache.hc.core5.pool.PoolEntry;
import org.jspecify.annotations.Nullable;

/**
 * Looks whether the connection that a request has been given was closed by its server meanwhile. The client itself looks
 * only after a time, and what is private to it is read by reflection; where that cannot be, nothing is looked at.
 */
final class PooledConnection {
    private PooledConnection() {}

    /** Closes the connection of an {@code InternalExecRuntime} if it is stale, so that another is opened. */
    static void closeIfStale(Object runtime) {
        try {
            Object endpoint = value(runtime, "endpointRef");
            Object entry = endpoint == null ? null : value(endpoint, "poolEntryRef");
            if (entry instanceof PoolEntry) {
                closeIfStale((PoolEntry<?, ?>) entry);
            }
        } catch (ReflectiveOperationException | RuntimeException | IOException e) {
            Log.debug("a kept connection is not looked at: " + e);
        }
    }

    private static void closeIfStale(PoolEntry<?, ? extends ModalCloseable> entry) throws IOException {
        ModalCloseable connection = entry.getConnection();
        if (connection instanceof BHttpConnection
                && ((BHttpConnection) connection).isOpen()
                && ((BHttpConnection) connection).isStale()) {
            entry.discardConnection(CloseMode.IMMEDIATE);
        }
    }

    private static @Nullable Object value(Object holder, String name) throws ReflectiveOperationException {
        Field field = holder.getClass().getDeclaredField(name);
        field.setAccessible(true);
        return ((AtomicReference<?>) field.get(holder)).get();
    }
}
