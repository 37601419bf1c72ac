package io.fairlead.strategy;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Candidates in an order that depends on nothing but their ids and weights, so that tables built from it are the same
 * in every process, whatever the order of arrival.
 */
final class IdOrder {
    private final Candidate[] servers;

    IdOrder(List<Candidate> candidates) {
        servers = Servers.array(candidates);
        Arrays.sort(servers, Comparator.comparing(Candidate::id));
    }

    /** By id. */
    Candidate[] byId() {
        return servers.clone();
    }

    /** By weight, the greatest first, then by id. */
    Candidate[] byWeight() {
        Candidate[] sorted = servers.clone();
        Arrays.sort(sorted, Comparator.comparingInt(Candidate::weight).reversed());
        return sorted;
    }
}
