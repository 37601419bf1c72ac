package io.fairlead.okhttp;

import io.fairlead.Endpoint;
import io.fairlead.Pick;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLProtocolException;

/**
 * Failures to connect in words that tell to which server. OkHttp knows it by the logical name and the URL's port alone.
 * Type, cause and stack stay what they are, since those are what the catcher of an exception looks at.
 */
final class Reworded {
    private static final Map<Class<?>, Function<String, IOException>> TYPES = types();

    private Reworded() {}

    private static Map<Class<?>, Function<String, IOException>> types() {
        Map<Class<?>, Function<String, IOException>> types = new HashMap<>();
        types.put(ConnectException.class, ConnectException::new);
        types.put(BindException.class, BindException::new);
        types.put(NoRouteToHostException.class, NoRouteToHostException::new);
        types.put(SocketException.class, SocketException::new);
        types.put(SocketTimeoutException.class, SocketTimeoutException::new);
        types.put(UnknownHostException.class, UnknownHostException::new);
        types.put(SSLException.class, SSLException::new);
        types.put(SSLHandshakeException.class, SSLHandshakeException::new);
        types.put(SSLPeerUnverifiedException.class, SSLPeerUnverifiedException::new);
        types.put(SSLProtocolException.class, SSLProtocolException::new);
        return Collections.unmodifiableMap(types);
    }

    /**
     * A failure that names the server of a pick.
     *
     * @param host the logical host that was to be connected to
     */
    static IOException by(Pick pick, String host, IOException e) {
        Endpoint server = pick.endpoint();
        return by("server " + server.uri() + " of service '" + pick.service() + "': ", host, e);
    }

    private static IOException by(String prefix, String host, IOException e) {
        IOException named = as(prefix + reason(host, e), e);
        if (named == e) {
            return e;
        }
        // Those of the server's other addresses.
        for (Throwable other : e.getSuppressed()) {
            named.addSuppressed(other instanceof IOException ? by(prefix, host, (IOException) other) : other);
        }
        return named;
    }

    /** OkHttp's own words say "Failed to connect to orders/10.0.0.1:80", and the cause why. */
    private static String reason(String host, IOException e) {
        Throwable cause = e.getCause();
        String said = String.valueOf(e.getMessage());
        return e instanceof ConnectException && cause instanceof ConnectException && said.contains(host + "/")
                ? String.valueOf(cause.getMessage())
                : said;
    }

    /**
     * The same failure with another message; itself where it is of a type that cannot be made anew. Suppressed exceptions
     * are not taken over.
     */
    static IOException as(String message, IOException e) {
        Function<String, IOException> type = TYPES.get(e.getClass());
        if (type == null) {
            return e;
        }
        IOException made = type.apply(message);
        made.setStackTrace(e.getStackTrace());
        if (e.getCause() != null) {
            made.initCause(e.getCause());
        }
        return made;
    }
}
