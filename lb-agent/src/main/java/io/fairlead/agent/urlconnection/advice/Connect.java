package io.fairlead.agent.urlconnection.advice;

import io.fairlead.agent.bootstrap.Route;
import io.fairlead.agent.bootstrap.UrlConnections;
import net.bytebuddy.asm.Advice;
import org.jspecify.annotations.Nullable;

/** {@code NetworkClient.doConnect}: a socket is opened; when that fails, one to the next server. */
public final class Connect {
    private Connect() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static @Nullable Route enter(
            @Advice.This Object client,
            @Advice.Argument(value = 0, readOnly = false) String host,
            @Advice.Argument(value = 1, readOnly = false) int port) {
        Route route = UrlConnections.agent().connecting(client, host, port);
        if (route != null) {
            host = route.host;
            port = route.port;
        }
        return route;
    }

    @Advice.OnMethodExit(
            suppress = Throwable.class,
            onThrowable = Throwable.class,
            backupArguments = false,
            repeatOn = Advice.OnNonDefaultValue.class)
    static boolean exit(
            @Advice.Enter @Nullable Route route,
            @Advice.Argument(value = 0, readOnly = false) String host,
            @Advice.Argument(value = 1, readOnly = false) int port,
            @Advice.Thrown(readOnly = false) @Nullable Throwable thrown) {
        if (route == null || thrown == null) {
            return false;
        }
        if (UrlConnections.agent().connectFailed(route, thrown)) {
            host = route.host;
            port = route.port;
            return true;
        }
        thrown = UrlConnections.agent().asSeen(route, thrown);
        return false;
    }
}
