package io.fairlead.config;

import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the file says about one service.
 *
 * <p>Immutable; equal by value, wherever in the file it stands, so that a service whose text did not change can be told
 * from one that did.
 */
public abstract class ServiceSpec {
    private final String name;

    ServiceSpec(String name) {
        this.name = name;
    }

    /** The service's name, as it is spelt in the file. */
    public final String name() {
        return name;
    }

    /** The key under which the file describes it: {@code loadBalancer}, {@code failover}... */
    public abstract String kind();

    /** The names of the services that it is made of, as this service spells them; empty for one of servers. */
    public List<String> parts() {
        return Collections.emptyList();
    }

    /** Everything that makes two of a kind equal. */
    abstract List<@Nullable Object> values();

    @Override
    public final boolean equals(@Nullable Object other) {
        if (!(other instanceof ServiceSpec)) {
            return false;
        }
        ServiceSpec that = (ServiceSpec) other;
        return name.equals(that.name) && kind().equals(that.kind()) && values().equals(that.values());
    }

    @Override
    public final int hashCode() {
        return 31 * name.hashCode() + values().hashCode();
    }

    @Override
    public final String toString() {
        return name + " (" + kind() + ") " + values();
    }
}
