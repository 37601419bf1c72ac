package io.fairlead.strategy;

import io.fairlead.Ticker;

/**
 * Requests under way, this one counted in, for each unit of weight: {@code (inFlight + 1) / weight}. Equal fractions
 * give equal numbers, since a division is rounded once.
 */
final class RequestsCost implements Cost {
    @Override
    public double of(Candidate server, int weight, long now) {
        return (server.inFlight() + 1.0) / weight;
    }

    @Override
    public long now(Ticker ticker) {
        return 0;
    }
}
