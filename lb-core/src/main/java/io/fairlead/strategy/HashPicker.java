package io.fairlead.strategy;

import io.fairlead.RequestFacts;
import io.fairlead.Tried;
import org.jspecify.annotations.Nullable;

/** Picks the server that a table gives for a key; where that is not open to the request, the next in the table's order. */
final class HashPicker implements Picker {
    /** Any odd number: sets the hash of a draw apart from that of a table. */
    private static final long DRAW = 0xD6E8FEB86659FD93L;

    private final HashKey key;
    private final Candidate[] servers;
    private final KeyTable table;
    private final @Nullable LoadBound bound;

    HashPicker(HashKey key, Candidate[] servers, KeyTable table, @Nullable LoadBound bound) {
        this.key = key;
        this.servers = servers;
        this.table = table;
        this.bound = bound;
    }

    @Override
    public @Nullable Candidate pick(RequestFacts request, Tried tried) {
        return pick(key.hash(request), tried);
    }

    @Override
    public long draw(RequestFacts request, RandomSource random) {
        // Hashed once more: the table's places are taken from the upper bits too, and the two must not go together.
        return XxHash64.avalanche(key.hash(request) + DRAW);
    }

    /** Picks for a key that has been hashed. */
    @Nullable
    Candidate pick(long hash, Tried tried) {
        if (tried.isEmpty() && bound == null) {
            return servers[table.home(hash)];
        }
        return search(hash, tried);
    }

    private @Nullable Candidate search(long hash, Tried tried) {
        int home = table.home(hash);
        if (tried.isEmpty() && (bound == null || bound.isIdle(home))) {
            return servers[home];
        }
        long total = bound == null ? 0 : bound.total();
        int found = table.search(hash, this, tried, total);
        return found < 0 ? null : servers[found];
    }

    int size() {
        return servers.length;
    }

    boolean isTried(int server, Tried tried) {
        return tried.contains(servers[server].id());
    }

    /** Whether the server is within its bound, of this many requests under way in all. */
    boolean isWithinBound(int server, long total) {
        return bound == null || bound.admits(server, total);
    }
}
