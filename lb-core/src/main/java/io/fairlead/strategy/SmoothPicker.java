package io.fairlead.strategy;

import io.fairlead.RequestFacts;
import io.fairlead.Tried;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Walks a {@link SmoothSequence}. Every request takes one turn of the sequence. Where the turn's server has been tried,
 * or has to sit the turn out, a second walk along the same sequence names the substitute, so that the first one is not
 * disturbed and the substitutes share by weight too.
 */
final class SmoothPicker implements Picker {
    /** So many servers that are away keep their places at least. */
    private static final int MIN_AWAY = 64;
    /** So many turns are looked at for a substitute; after that every server. */
    private static final int MAX_SUBSTITUTES = 8;

    private final Candidate[] servers;
    /** How many units of the weights stand for one that is configured. */
    private final int scale;

    private final SmoothSequence sequence;
    /** The sequence once more, as the servers themselves: one read less for each pick. */
    private final Candidate[] turns;

    private final Cycle cycle;
    private final EffectiveWeights effective;
    private final AtomicInteger substitutes = new AtomicInteger();
    private final Map<String, SmoothPlace> away;
    private final RecentFailures failures;

    SmoothPicker(
            Candidate[] servers,
            int scale,
            SmoothSequence sequence,
            Cycle cycle,
            EffectiveWeights effective,
            Map<String, SmoothPlace> away,
            RecentFailures failures) {
        this.servers = servers;
        this.scale = scale;
        this.sequence = sequence;
        this.turns = sequence.of(servers);
        this.cycle = cycle;
        this.effective = effective;
        this.away = away;
        this.failures = failures;
    }

    static SmoothPicker of(
            Candidate[] servers, int[] weights, int scale, Map<String, SmoothPlace> places, RecentFailures failures) {
        double[] exact = new double[servers.length];
        long[] words = new long[servers.length];
        Set<String> present = new HashSet<>();
        for (int i = 0; i < servers.length; i++) {
            present.add(servers[i].id());
            SmoothPlace place = places.get(servers[i].id());
            if (place != null) {
                exact[i] = place.current(scale);
                words[i] = place.effective(scale);
            }
        }
        Map<String, SmoothPlace> away = new LinkedHashMap<>();
        int surplus = places.size() - Math.max(MIN_AWAY, servers.length);
        for (Map.Entry<String, SmoothPlace> place : places.entrySet()) {
            // The places that have been away longest come first; where ids come and go for ever, they are forgotten.
            if (!present.contains(place.getKey()) && surplus-- <= 0) {
                away.put(place.getKey(), place.getValue());
            }
        }
        SmoothSequence sequence = SmoothSequence.of(weights, rounded(exact));
        Cycle cycle = new Cycle(sequence.runIn(), sequence.length() - sequence.runIn(), 0);
        return new SmoothPicker(
                servers, scale, sequence, cycle, new EffectiveWeights(weights, words, scale), away, failures);
    }

    /**
     * Whole numbers, each within 1 of the exact one, with the same sum: if each was rounded for itself, the values of all
     * servers would drift away, scale by scale, from the zero at which a new server begins.
     */
    private static long[] rounded(double[] exact) {
        long[] rounded = new long[exact.length];
        double sum = 0;
        long roundedSum = 0;
        for (int i = 0; i < exact.length; i++) {
            sum += exact[i];
            rounded[i] = Math.round(sum) - roundedSum;
            roundedSum += rounded[i];
        }
        return rounded;
    }

    @Override
    public @Nullable Candidate pick(RequestFacts request, Tried tried) {
        Candidate[] order = turns;
        boolean usual = tried.isEmpty() && !failures.isAny() && effective.isFull();
        int position = cycle.next();
        return usual ? order[position] : unusual(position, tried);
    }

    private @Nullable Candidate unusual(int position, Tried tried) {
        int turn = sequence.at(position);
        Candidate server = servers[turn];
        if (!tried.contains(server.id()) && effective.takesTurn(turn, server)) {
            return server;
        }
        return substitute(turn, tried);
    }

    private @Nullable Candidate substitute(int passed, Tried tried) {
        int position = substitutes.get();
        for (int i = 0; i < MAX_SUBSTITUTES; i++) {
            if (position >= sequence.length()) {
                position = sequence.runIn();
            }
            int turn = sequence.at(position);
            if (turn != passed && !tried.contains(servers[turn].id()) && effective.takesTurn(turn, servers[turn])) {
                substitutes.set(position + 1);
                return servers[turn];
            }
            position = sequence.afterRunAt(position);
        }
        substitutes.set(position);
        int next = passed + 1 == servers.length ? 0 : passed + 1;
        return Servers.untriedFrom(servers, next, tried);
    }

    /** Where each server stands now, those that are away first. */
    Map<String, SmoothPlace> places() {
        Map<String, SmoothPlace> places = new LinkedHashMap<>(away);
        long[] currents = sequence.currentsBefore(cycle.position());
        for (int i = 0; i < servers.length; i++) {
            places.put(servers[i].id(), new SmoothPlace(currents[i], effective.word(i), scale));
        }
        return places;
    }
}
