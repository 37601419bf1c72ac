package io.fairlead.strategy;

import io.fairlead.Tried;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What pickers do alike with their candidates when a request has been to some of them already. */
final class Servers {
    private Servers() {}

    static Candidate[] array(List<Candidate> candidates) {
        return candidates.toArray(new Candidate[0]);
    }

    /** Sorted by id: an order that does not depend on that of arrival, and so is the same in every process. */
    static Candidate[] byId(List<Candidate> candidates) {
        Candidate[] servers = array(candidates);
        Arrays.sort(servers, Comparator.comparing(Candidate::id));
        return servers;
    }

    static int[] weights(Candidate[] servers) {
        int[] weights = new int[servers.length];
        for (int i = 0; i < servers.length; i++) {
            weights[i] = Math.max(1, servers[i].weight());
        }
        return weights;
    }

    /** The first from this index on, around the end, that has not been tried; null when all have. */
    static @Nullable Candidate untriedFrom(Candidate[] servers, int from, Tried tried) {
        int index = from;
        for (int i = 0; i < servers.length; i++) {
            Candidate server = servers[index];
            if (!tried.contains(server.id())) {
                return server;
            }
            if (++index == servers.length) {
                index = 0;
            }
        }
        return null;
    }

    /** The index of the {@code rank}-th, from 0, of those that have not been tried; -1 where there are not so many. */
    static int untriedAt(Candidate[] servers, int rank, Tried tried) {
        int left = rank;
        for (int i = 0; i < servers.length; i++) {
            if (!tried.contains(servers[i].id()) && left-- == 0) {
                return i;
            }
        }
        return -1;
    }

    static int countUntried(Candidate[] servers, Tried tried) {
        if (tried.isEmpty()) {
            return servers.length;
        }
        int count = 0;
        for (Candidate server : servers) {
            if (!tried.contains(server.id())) {
                count++;
            }
        }
        return count;
    }
}
