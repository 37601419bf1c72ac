package io.fairlead.agent;

import java.security.AccessController;
import java.security.PrivilegedActionException;
import java.security.PrivilegedExceptionAction;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Does what the agent may do and the application, whose thread it is, may not, where a security manager is in force
 * (Java 8 to 17).
 */
public final class Privileged {
    private Privileged() {}

    /** Whether a security manager is in force. */
    public static boolean isManaged() {
        return System.getSecurityManager() != null;
    }

    /**
     * Calls with the agent's permissions.
     *
     * @throws Exception what the call throws
     */
    public static <T extends @Nullable Object> T call(Callable<T> action) throws Exception {
        if (!isManaged()) {
            return action.call();
        }
        try {
            return AccessController.doPrivileged((PrivilegedExceptionAction<T>) action::call);
        } catch (PrivilegedActionException e) {
            throw e.getException();
        }
    }
}
