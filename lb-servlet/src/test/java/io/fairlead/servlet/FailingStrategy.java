package io.fairlead.servlet;

import io.fairlead.strategy.Picker;
import io.fairlead.strategy.PickerContext;
import io.fairlead.strategy.Strategy;

/** A user's strategy that gives the first server, and fails where a request is sent again. */
public final class FailingStrategy implements Strategy {
    @Override
    public String name() {
        return "failing";
    }

    @Override
    public Picker picker(PickerContext context) {
        return (request, tried) -> {
            if (!tried.isEmpty()) {
                throw new IllegalStateException("a strategy with a fault");
            }
            return context.candidates().get(0);
        };
    }
}
