package io.fairlead.config;

import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Finds the zone that this process runs in, where the file does not name it: one file serves all zones. */
final class OwnZone {
    static final String PROPERTY = "fairlead.zone";
    static final String VARIABLE = "FAIRLEAD_ZONE";

    private OwnZone() {}

    /** The zone of the system property, else of the environment variable; null where neither has one. */
    static @Nullable String ofThisProcess() {
        return find(System::getProperty, System::getenv);
    }

    static @Nullable String find(
            UnaryOperator<@Nullable String> properties, UnaryOperator<@Nullable String> environment) {
        String zone = given(properties.apply(PROPERTY));
        return zone != null ? zone : given(environment.apply(VARIABLE));
    }

    private static @Nullable String given(@Nullable String zone) {
        return zone == null || zone.trim().isEmpty() ? null : zone.trim();
    }
}
