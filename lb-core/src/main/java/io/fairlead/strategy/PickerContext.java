package io.fairlead.strategy;

import io.fairlead.Ticker;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a strategy is given to build a picker.
 *
 * <p>Immutable.
 */
public final class PickerContext {
    private final List<Candidate> candidates;
    private final @Nullable Picker previous;
    private final Ticker ticker;
    private final RandomSource random;
    private final RecentFailures failures;
    private final int weightScale;

    /**
     * Makes a context of candidates whose recent failures nobody counts.
     *
     * @param candidates the servers that can be picked, at least one, in the order of the configuration
     * @param previous the picker of the same strategy that the new one replaces, or null
     * @throws IllegalArgumentException there is no candidate
     */
    public PickerContext(
            List<? extends Candidate> candidates, @Nullable Picker previous, Ticker ticker, RandomSource random) {
        this(candidates, previous, ticker, random, RecentFailures.uncounted());
    }

    /**
     * Makes a context.
     *
     * @param candidates the servers that can be picked, at least one, in the order of the configuration
     * @param previous the picker of the same strategy that the new one replaces, or null
     * @param failures counts the candidates, and perhaps others, that have recent failures
     * @throws IllegalArgumentException there is no candidate
     */
    public PickerContext(
            List<? extends Candidate> candidates,
            @Nullable Picker previous,
            Ticker ticker,
            RandomSource random,
            RecentFailures failures) {
        this(candidates, previous, ticker, random, failures, 1);
    }

    /**
     * Makes a context of candidates whose weights are in finer units than those of the configuration.
     *
     * @param candidates the servers that can be picked, at least one, in the order of the configuration
     * @param previous the picker of the same strategy that the new one replaces, or null
     * @param failures counts the candidates, and perhaps others, that have recent failures
     * @param weightScale see {@link #weightScale()}
     * @throws IllegalArgumentException there is no candidate, or the scale is below 1
     */
    public PickerContext(
            List<? extends Candidate> candidates,
            @Nullable Picker previous,
            Ticker ticker,
            RandomSource random,
            RecentFailures failures,
            int weightScale) {
        if (weightScale < 1) {
            throw new IllegalArgumentException("a scale of weights of " + weightScale);
        }
        if (candidates.isEmpty()) {
            throw new IllegalArgumentException("a picker needs at least one candidate");
        }
        this.candidates = Collections.unmodifiableList(new ArrayList<>(candidates));
        this.previous = previous;
        this.ticker = ticker;
        this.random = random;
        this.failures = failures;
        this.weightScale = weightScale;
    }

    /** The servers that can be picked, at least one, in the order of the configuration; unmodifiable. */
    public List<Candidate> candidates() {
        return candidates;
    }

    /** The picker that the new one replaces, from which it may take over its place in a sequence; null: the first. */
    public @Nullable Picker previous() {
        return previous;
    }

    /**
     * How many units of {@link Candidate#weight()} stand for one unit of a configured weight, at least 1: while a server
     * warms up all weights are in finer units, so that a part of a small weight can be told. Shares do not depend on it;
     * what is laid out for each unit of weight does.
     */
    public int weightScale() {
        return weightScale;
    }

    /** Whether any of the candidates may have recent failures. */
    public RecentFailures failures() {
        return failures;
    }

    /** The time of the request that is picked for; a load balancer's moves on by tenths of a millisecond. */
    public Ticker ticker() {
        return ticker;
    }

    /** Chance. */
    public RandomSource random() {
        return random;
    }
}
