package io.fairlead.config;

import io.fairlead.sticky.StickyCookie;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Services among which requests are shared out by weight. */
public final class WeightedSpec extends ServiceSpec {
    private final List<Part> services;
    private final @Nullable StickyCookie sticky;

    WeightedSpec(String name, List<Part> services, @Nullable StickyCookie sticky) {
        super(name);
        this.services = Collections.unmodifiableList(new ArrayList<>(services));
        this.sticky = sticky;
    }

    /** The services with their weights, in the order of the file; unmodifiable. */
    public List<Part> services() {
        return services;
    }

    /** The cookie that keeps a client on a service; null: none. */
    public @Nullable StickyCookie sticky() {
        return sticky;
    }

    @Override
    public String kind() {
        return "weighted";
    }

    @Override
    public List<String> parts() {
        List<String> names = new ArrayList<>();
        services.forEach(part -> names.add(part.name()));
        return Collections.unmodifiableList(names);
    }

    @Override
    List<@Nullable Object> values() {
        return Arrays.asList(services, sticky);
    }

    /**
     * A service with its weight.
     *
     * <p>Immutable; equal by value.
     */
    public static final class Part {
        private final String name;
        private final int weight;

        Part(String name, int weight) {
            this.name = name;
            this.weight = weight;
        }

        /** The service's name. */
        public String name() {
            return name;
        }

        /** Its share in relation to the others; zero or less: none. */
        public int weight() {
            return weight;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Part && name.equals(((Part) other).name) && weight == ((Part) other).weight;
        }

        @Override
        public int hashCode() {
            return Objects.hash(name, weight);
        }

        @Override
        public String toString() {
            return name + " " + weight;
        }
    }
}
