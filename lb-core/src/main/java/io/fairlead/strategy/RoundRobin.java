package io.fairlead.strategy;

import io.fairlead.RequestFacts;
import io.fairlead.Tried;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code round-robin}: one server after the other in the order of the list, each for as many requests as its weight
 * says: weights 5, 1, 1 give a a a a a b c.
 *
 * <p>A pick takes the next position of the round, which is laid out where it is not too long; see {@link Round} for where
 * it is. A new list goes on with the server whose turn it is, or with the one after it where that has gone.
 */
final class RoundRobin implements Strategy {
    @Override
    public String name() {
        return "round-robin";
    }

    @Override
    public Picker picker(PickerContext context) {
        Candidate[] servers = Servers.array(context.candidates());
        Round round = Round.of(Servers.weights(servers), context.weightScale());
        Picker previous = context.previous();
        int position = previous instanceof RoundPicker ? ((RoundPicker) previous).placeIn(servers, round) : 0;
        return new RoundPicker(servers, round, new Cycle(0, round.length(), position));
    }

    static final class RoundPicker implements Picker {
        /** Up to so many turns, the round is laid out. */
        private static final int MAX_LAID_OUT = 1 << 16;

        private final Candidate[] servers;
        private final Round round;
        private final Cycle cycle;
        /** The servers of a whole round; empty where it is too long. */
        private final Candidate[] turns;

        RoundPicker(Candidate[] servers, Round round, Cycle cycle) {
            this.servers = servers;
            this.round = round;
            this.cycle = cycle;
            turns = round.length() <= MAX_LAID_OUT ? round.of(servers) : new Candidate[0];
        }

        @Override
        public @Nullable Candidate pick(RequestFacts request, Tried tried) {
            Candidate[] order = turns;
            boolean fresh = tried.isEmpty();
            int position = cycle.next();
            if (fresh && position < order.length) {
                return order[position];
            }
            int turn = round.owner(round.runAt(position));
            return fresh ? servers[turn] : Servers.untriedFrom(servers, turn, tried);
        }

        /** The position in another round that stands for this one's next. */
        int placeIn(Candidate[] others, Round otherRound) {
            int position = cycle.position();
            int run = round.runAt(position);
            int turn = round.owner(run);
            int spent = position - round.start(run);
            Map<String, Integer> indices = new HashMap<>();
            for (int i = 0; i < others.length; i++) {
                indices.put(others[i].id(), i);
            }
            for (int i = 0; i < servers.length; i++) {
                Integer found = indices.get(servers[(turn + i) % servers.length].id());
                if (found != null) {
                    int otherRun = otherRound.runOf(found, round.phase(run));
                    int start = otherRound.start(otherRun);
                    int weight = otherRound.start(otherRun + 1) - start;
                    // A turn that a smaller weight has cut short is over.
                    return i > 0 ? start : (start + Math.min(spent, weight)) % otherRound.length();
                }
            }
            return 0;
        }
    }
}
