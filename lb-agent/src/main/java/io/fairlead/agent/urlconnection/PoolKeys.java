package io.fairlead.agent.urlconnection;

import io.fairlead.Endpoint;
import io.fairlead.agent.route.WeakIdentityMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * One object for each server, by whose identity the JDK tells idle connections apart, and over https for each server and
 * each factory of sockets. There are as many as there have ever been servers, which are few; those of a factory go with
 * it.
 */
final class PoolKeys {
    private final ConcurrentMap<String, Object> plain = new ConcurrentHashMap<>();
    private final WeakIdentityMap<ConcurrentMap<String, Object>> byFactory = new WeakIdentityMap<>();

    /** @param factory what the JDK itself tells them apart by; null: nothing */
    Object of(@Nullable Object factory, Endpoint endpoint) {
        ConcurrentMap<String, Object> keys = factory == null ? plain : keysOf(factory);
        return keys.computeIfAbsent(endpoint.host() + ' ' + endpoint.port(), Server::new);
    }

    private ConcurrentMap<String, Object> keysOf(Object factory) {
        ConcurrentMap<String, Object> keys = byFactory.get(factory);
        if (keys == null) {
            synchronized (byFactory) {
                while (byFactory.pollCollected() != null) {
                    // Its connections cannot be asked for any more.
                }
                keys = byFactory.get(factory);
                if (keys == null) {
                    keys = new ConcurrentHashMap<>();
                    byFactory.put(factory, keys);
                }
            }
        }
        return keys;
    }

    private static final class Server {
        private final String address;

        Server(String address) {
            this.address = address;
        }

        @Override
        public String toString() {
            return address;
        }
    }
}
