package io.fairlead.benchmarks.strategies;

import io.fairlead.RequestFacts;
import io.fairlead.Tried;
import io.fairlead.benchmarks.Fleet;
import io.fairlead.benchmarks.Subject;
import io.fairlead.strategy.Picker;
import io.fairlead.strategy.PickerContext;
import io.fairlead.strategy.PrehashedPicker;
import io.fairlead.strategy.Strategies;
import io.fairlead.strategy.Strategy;
import io.fairlead.strategy.StrategyOptions;
import java.util.Objects;

/** The strategies of this library, over the very candidates that a load balancer gives them. */
final class OurSubjects {
    private OurSubjects() {}

    /** A strategy that does not look at the request. */
    static Subject keyless(String name, Fleet fleet) {
        Picker picker = picker(Strategies.create(name, StrategyOptions.DEFAULT), fleet);
        return key -> Objects.requireNonNull(picker.pick(RequestFacts.NONE, Tried.NONE));
    }

    /** A strategy that hashes the client's address, from the text on. */
    static Subject keyed(String name, Fleet fleet) {
        Picker picker = picker(Strategies.create(name, StrategyOptions.DEFAULT), fleet);
        return key -> Objects.requireNonNull(picker.pick(key, Tried.NONE));
    }

    /** A hash strategy whose key has been hashed before. */
    static Subject prehashed(String name, Fleet fleet) {
        PrehashedPicker picker = new PrehashedPicker(picker(Strategies.create(name, StrategyOptions.DEFAULT), fleet));
        return key -> picker.pick(key.hash());
    }

    private static Picker picker(Strategy strategy, Fleet fleet) {
        PickerContext context = LiveContext.of(fleet);
        return strategy.picker(context);
    }
}
