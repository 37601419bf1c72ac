package io.fairlead.agent.route;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * What is known of objects that cannot be given a field: by identity, for as long as they live. A value must not hold
 * its key.
 *
 * <p>Safe for use from any thread.
 */
public final class WeakIdentityMap<V> {
    private final ConcurrentMap<Object, V> map = new ConcurrentHashMap<>();
    private final ReferenceQueue<Object> collected = new ReferenceQueue<>();

    /** What is known of an object; null: nothing. */
    public @Nullable V get(Object key) {
        // The usual case in an application that calls other hosts.
        return map.isEmpty() ? null : map.get(new Lookup(key));
    }

    /** Remembers. */
    public void put(Object key, V value) {
        map.put(new Key(key, collected), value);
    }

    /** Forgets, and gives what was known; null: nothing was. */
    public @Nullable V remove(Object key) {
        return map.isEmpty() ? null : map.remove(new Lookup(key));
    }

    /** Takes out one value whose key the collector has taken; null: there is none at this moment. */
    public @Nullable V pollCollected() {
        for (Reference<?> gone = collected.poll(); gone != null; gone = collected.poll()) {
            V value = map.remove(gone);
            if (value != null) {
                return value;
            }
        }
        return null;
    }

    int size() {
        return map.size();
    }

    private static final class Key extends WeakReference<Object> {
        private final int hash;

        Key(Object key, ReferenceQueue<Object> collected) {
            super(key, collected);
            hash = System.identityHashCode(key);
        }

        @Override
        public int hashCode() {
            return hash;
        }

        @Override
        public boolean equals(Object other) {
            if (this == other) {
                return true;
            }
            Object mine = get();
            return mine != null && other instanceof Key && ((Key) other).get() == mine;
        }
    }

    /** Finds a key without making a reference. Only ever the one that is looked for, never the one in the map. */
    private static final class Lookup {
        private final Object key;

        Lookup(Object key) {
            this.key = key;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(key);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Key && ((Key) other).get() == key;
        }
    }
}
