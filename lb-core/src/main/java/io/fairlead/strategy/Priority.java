package io.fairlead.strategy;

import io.fairlead.RequestFacts;
import io.fairlead.Tried;
import java.util.Arrays;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * {@code priority}: the servers of the greatest weight, in turn; those of the next weight only when a request has been
 * to all of these. A new list goes on with the server whose turn it is.
 */
final class Priority implements Strategy {
    @Override
    public String name() {
        return "priority";
    }

    @Override
    public boolean sharesByWeight() {
        return false;
    }

    @Override
    public Picker picker(PickerContext context) {
        Candidate[] servers = Servers.array(context.candidates());
        Arrays.sort(servers, Comparator.comparingInt(Candidate::weight).reversed());
        int best = 1;
        while (best < servers.length && servers[best].weight() == servers[0].weight()) {
            best++;
        }
        Picker previous = context.previous();
        int position = previous instanceof PriorityPicker ? ((PriorityPicker) previous).placeIn(servers, best) : 0;
        return new PriorityPicker(servers, best, new Cycle(0, best, position));
    }

    private static final class PriorityPicker implements Picker {
        /** By weight, the greatest first. */
        private final Candidate[] servers;
        /** How many have the greatest. */
        private final int best;

        private final Cycle cycle;

        PriorityPicker(Candidate[] servers, int best, Cycle cycle) {
            this.servers = servers;
            this.best = best;
            this.cycle = cycle;
        }

        @Override
        public @Nullable Candidate pick(RequestFacts request, Tried tried) {
            Candidate[] order = servers;
            boolean fresh = tried.isEmpty();
            int turn = cycle.next();
            return fresh ? order[turn] : untried(turn, tried);
        }

        private @Nullable Candidate untried(int turn, Tried tried) {
            int begin = 0;
            int end = best;
            while (begin < servers.length) {
                int size = end - begin;
                for (int i = 0; i < size; i++) {
                    Candidate server = servers[begin + (turn + i) % size];
                    if (!tried.contains(server.id())) {
                        return server;
                    }
                }
                begin = end;
                while (end < servers.length && servers[end].weight() == servers[begin].weight()) {
                    end++;
                }
            }
            return null;
        }

        /** Which of the first so many others stands for this one's next. */
        int placeIn(Candidate[] others, int count) {
            int turn = cycle.position();
            for (int i = 0; i < best; i++) {
                String id = servers[(turn + i) % best].id();
                for (int k = 0; k < count; k++) {
                    if (others[k].id().equals(id)) {
                        return k;
                    }
                }
            }
            return 0;
        }
    }
}
