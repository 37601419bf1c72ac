package io.fairlead.agent.urlconnection;

import io.fairlead.Endpoint;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * One object for each server, by whose identity the JDK tells idle connections apart. There are as many as there have
 * ever been servers, which are few.
 */
final class PoolKeys {
    private final ConcurrentMap<String, Object> keys = new ConcurrentHashMap<>();

    Object of(Endpoint endpoint) {
        return keys.computeIfAbsent(endpoint.host() + ' ' + endpoint.port(), Server::new);
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
