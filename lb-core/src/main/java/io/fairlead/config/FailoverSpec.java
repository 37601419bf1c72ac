package io.fairlead.config;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A service, and another one for when the first cannot. */
public final class FailoverSpec extends ServiceSpec {
    private final String service;
    private final String fallback;

    FailoverSpec(String name, String service, String fallback) {
        super(name);
        this.service = service;
        this.fallback = fallback;
    }

    /** The name of the main service. */
    public String service() {
        return service;
    }

    /** The name of the other one. */
    public String fallback() {
        return fallback;
    }

    @Override
    public String kind() {
        return "failover";
    }

    @Override
    public List<String> parts() {
        return Collections.unmodifiableList(Arrays.asList(service, fallback));
    }

    @Override
    List<@Nullable Object> values() {
        return Arrays.asList(service, fallback);
    }
}
