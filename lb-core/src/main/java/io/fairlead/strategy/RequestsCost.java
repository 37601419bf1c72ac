package io.fairlead.strategy;

/**
 * Requests under way, this one counted in, for each unit of weight: {@code (inFlight + 1) / weight}. Equal fractions
 * give equal numbers, since a division is rounded once.
 */
final class RequestsCost implements Cost {
    @Override
    public double of(Candidate server, int weight, long now) {
        double requests = server.inFlight() + 1.0;
        // Where all weights are alike, and so all 1, the processor foresees this branch and no division is waited for.
        return weight == 1 ? requests : requests / weight;
    }

    @Override
    public boolean isTimed() {
        return false;
    }
}
