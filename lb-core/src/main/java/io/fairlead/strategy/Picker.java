package io.fairlead.strategy;

import io.fairlead.RequestFacts;
import io.fairlead.Tried;
import org.jspecify.annotations.Nullable;

/**
 * Picks among a fixed list of candidates. Immutable but for its counters; never blocks, and allocates nothing while
 * {@code tried} is empty.
 *
 * <p>Safe for use from any thread.
 */
@FunctionalInterface
public interface Picker {
    /**
     * Picks a candidate that has not been tried.
     *
     * @param request what is known of the request
     * @param tried the endpoints that this request has been sent to, {@link Tried#NONE} at the first try
     * @return a candidate of the picker's list that is not in {@code tried}; null only when all of them are
     */
    @Nullable
    Candidate pick(RequestFacts request, Tried tried);

    /**
     * A number, uniform over all values of a long, by which a request is dealt out where several groups of servers share
     * the requests. Chance by default; a strategy that hashes gives the same number for the same key, so that a key
     * stays with its group.
     *
     * @param random chance, drawn from only where the request itself does not decide
     */
    default long draw(RequestFacts request, RandomSource random) {
        return random.nextLong();
    }
}
