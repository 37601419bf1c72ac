package io.fairlead.okhttp;

import io.fairlead.Endpoint;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import okhttp3.Dns;
import org.jspecify.annotations.Nullable;

/**
 * One {@link Pin} for each server, since OkHttp's pool knows connections by it. Held weakly: OkHttp's connections hold
 * their pin, and one that no connection holds can be made anew, so that a server that has left leaves nothing behind.
 *
 * <p>Safe for use from any thread.
 */
final class Pins {
    private final ConcurrentMap<Key, Reference> byKey = new ConcurrentHashMap<>();
    private final ReferenceQueue<Pin> forgotten = new ReferenceQueue<>();

    /**
     * The pin of a server.
     *
     * @param host the logical host
     * @param dns the client's own, for a server that is known by name
     */
    Pin get(String host, Endpoint endpoint, Dns dns) {
        Key key = new Key(host, endpoint, dns);
        Reference reference = byKey.get(key);
        Pin pin = reference == null ? null : reference.get();
        return pin != null ? pin : create(key, endpoint);
    }

    private Pin create(Key key, Endpoint endpoint) {
        for (Object gone = forgotten.poll(); gone != null; gone = forgotten.poll()) {
            byKey.remove(((Reference) gone).key, gone);
        }
        Pin made = new Pin(key.host, endpoint, key.dns);
        Reference reference = new Reference(key, made, forgotten);
        while (true) {
            Reference before = byKey.putIfAbsent(key, reference);
            if (before == null) {
                return made;
            }
            Pin pin = before.get();
            if (pin != null) {
                return pin;
            }
            byKey.remove(key, before);
        }
    }

    /** Makes the next {@link #get} give another one, and so a new connection, if this is still the one. */
    void renew(Pin pin) {
        byKey.values().removeIf(reference -> reference.get() == pin);
    }

    /** How many are known, those among them that are no longer in use. */
    int size() {
        return byKey.size();
    }

    private static final class Reference extends WeakReference<Pin> {
        final Key key;

        Reference(Key key, Pin pin, ReferenceQueue<Pin> queue) {
            super(pin, queue);
            this.key = key;
        }
    }

    private static final class Key {
        final String host;
        final Dns dns;
        private final String id;
        private final String serverHost;
        private final int serverPort;
        private final boolean secure;

        Key(String host, Endpoint endpoint, Dns dns) {
            this.host = host;
            this.dns = dns;
            id = endpoint.id();
            serverHost = endpoint.host();
            serverPort = endpoint.port();
            secure = endpoint.isSecure();
        }

        @Override
        public boolean equals(@Nullable Object other) {
            if (!(other instanceof Key)) {
                return false;
            }
            Key that = (Key) other;
            return serverPort == that.serverPort
                    && secure == that.secure
                    && id.equals(that.id)
                    && host.equals(that.host)
                    && serverHost.equals(that.serverHost)
                    && dns.equals(that.dns);
        }

        @Override
        public int hashCode() {
            return Objects.hashCode(id) * 31 + host.hashCode();
        }
    }
}
