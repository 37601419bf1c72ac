package io.fairlead.benchmarks.peers;

import com.google.common.hash.Hashing;
import io.fairlead.benchmarks.Fleet;
import io.fairlead.benchmarks.Subject;

/** Guava's jump consistent hash. */
public final class GuavaSubjects {
    private GuavaSubjects() {}

    /** {@code Hashing.consistentHash}, and the look into an array of servers that every user adds. */
    public static Subject consistentHash(Fleet fleet) {
        String[] servers = new String[fleet.size()];
        for (int i = 0; i < servers.length; i++) {
            servers[i] = fleet.host(i);
        }
        return key -> servers[Hashing.consistentHash(key.hash(), servers.length)];
    }
}
