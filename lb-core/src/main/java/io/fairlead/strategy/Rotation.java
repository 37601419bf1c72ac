package io.fairlead.strategy;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Each candidate in turn, whatever its weight. */
final class Rotation implements Strategy {
    private final String name;

    Rotation(String name) {
        this.name = name;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Picker picker(PickerContext context) {
        List<Candidate> candidates = context.candidates();
        AtomicInteger next = new AtomicInteger();
        return (request, tried) -> {
            for (int i = 0; i < candidates.size(); i++) {
                Candidate candidate =
                        candidates.get(Integer.remainderUnsigned(next.getAndIncrement(), candidates.size()));
                if (!tried.contains(candidate.id())) {
                    return candidate;
                }
            }
            for (Candidate candidate : candidates) {
                if (!tried.contains(candidate.id())) {
                    return candidate;
                }
            }
            return null;
        };
    }
}
