package io.fairlead.strategy;

/**
 * Requests under way, this one counted in, for each unit of weight: {@code (inFlight + 1) / weight}. Equal fractions
 * give equal numbers, since a division is rounded once.
 */
final class RequestsCost implements Cost {
    @Override
    public double of(Candidate server, int weight, long now) {
        return atLeast(server, weight);
    }

    @Override
    public double atLeast(Candidate server, int weight) {
        return (server.inFlight() + 1.0) / weight;
    }

    @Override
    public boolean isTimed() {
        return false;
    }
}
