package io.fairlead.agent.okhttp;

import io.fairlead.agent.Log;
import java.lang.reflect.Method;
import java.util.concurrent.TimeUnit;

/** When a connection was used last, as {@code RealConnection} of OkHttp 4 and 5 remembers it. */
final class IdleTime {
    private static final long LONG = TimeUnit.SECONDS.toNanos(11);

    private IdleTime() {}

    /** Lets a connection that is about to be used look as if it had been idle for long. */
    static void longAgo(Object connection) {
        for (Method method : connection.getClass().getMethods()) {
            // The name has the module's behind it.
            if (method.getName().startsWith("setIdleAtNs") && method.getParameterCount() == 1) {
                try {
                    method.setAccessible(true);
                    method.invoke(connection, System.nanoTime() - LONG);
                } catch (ReflectiveOperationException | RuntimeException e) {
                    Log.debug("a kept connection is not looked at: " + e);
                }
            }
        }
    }
}
