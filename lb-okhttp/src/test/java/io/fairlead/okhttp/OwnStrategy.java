package io.fairlead.okhttp;

import io.fairlead.RequestFacts;
import io.fairlead.strategy.Candidate;
import io.fairlead.strategy.Picker;
import io.fairlead.strategy.PickerContext;
import io.fairlead.strategy.Strategy;
import java.util.List;
import java.util.function.BiFunction;

/** A user's strategy: one function. */
final class OwnStrategy implements Strategy {
    private final BiFunction<RequestFacts, List<Candidate>, Candidate> function;

    OwnStrategy(BiFunction<RequestFacts, List<Candidate>, Candidate> function) {
        this.function = function;
    }

    @Override
    public String name() {
        return "own";
    }

    @Override
    public Picker picker(PickerContext context) {
        return (request, tried) -> function.apply(request, context.candidates());
    }
}
