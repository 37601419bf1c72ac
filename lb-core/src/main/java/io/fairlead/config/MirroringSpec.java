package io.fairlead.config;

import io.fairlead.compose.MirrorOptions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A service whose requests are copied, in part, to others. */
public final class MirroringSpec extends ServiceSpec {
    private final String service;
    private final List<Mirror> mirrors;
    private final MirrorOptions options;

    MirroringSpec(String name, String service, List<Mirror> mirrors, MirrorOptions options) {
        super(name);
        this.service = service;
        this.mirrors = Collections.unmodifiableList(new ArrayList<>(mirrors));
        this.options = options;
    }

    /** The name of the service that answers. */
    public String service() {
        return service;
    }

    /** Who gets copies, in the order of the file; unmodifiable. */
    public List<Mirror> mirrors() {
        return mirrors;
    }

    /** How the copies are made. */
    public MirrorOptions options() {
        return options;
    }

    @Override
    public String kind() {
        return "mirroring";
    }

    @Override
    public List<String> parts() {
        List<String> names = new ArrayList<>();
        names.add(service);
        mirrors.forEach(mirror -> names.add(mirror.name()));
        return Collections.unmodifiableList(names);
    }

    @Override
    List<@Nullable Object> values() {
        return Arrays.asList(service, mirrors, options);
    }

    /**
     * A service that gets copies.
     *
     * <p>Immutable; equal by value.
     */
    public static final class Mirror {
        private final String name;
        private final int percent;

        Mirror(String name, int percent) {
            this.name = name;
            this.percent = percent;
        }

        /** The service's name. */
        public String name() {
            return name;
        }

        /** How many of a hundred requests are copied to it, 0 to 100. */
        public int percent() {
            return percent;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Mirror && name.equals(((Mirror) other).name) && percent == ((Mirror) other).percent;
        }

        @Override
        public int hashCode() {
            return Objects.hash(name, percent);
        }

        @Override
        public String toString() {
            return name + " " + percent + " %";
        }
    }
}
