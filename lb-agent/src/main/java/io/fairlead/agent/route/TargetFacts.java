package io.fairlead.agent.route;

import java.lang.ref.WeakReference;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What a request tells of itself where its target is a path with a query, or a whole URL, and its fields have names. */
public final class TargetFacts extends Facts {
    private final String method;
    private final String target;
    private final String host;
    private final Fields fields;

    /**
     * The facts of a request.
     *
     * @param target the path and query, as they are sent
     * @param host the logical name
     */
    public TargetFacts(String method, String target, String host, Fields fields) {
        this.method = method.toUpperCase(Locale.ROOT);
        this.target = target;
        this.host = host;
        this.fields = fields;
    }

    /**
     * The fields of a request that is not kept from being collected, as what is known of it must not do.
     *
     * @param of the value of a field of this name
     */
    public static <R> Fields weakly(R request, Function<R, Fields> of) {
        WeakReference<R> weak = new WeakReference<>(request);
        return name -> {
            R alive = weak.get();
            return alive == null ? null : of.apply(alive).get(name);
        };
    }

    @Override
    public String method() {
        return method;
    }

    @Override
    public String path() {
        return pathOf(target);
    }

    @Override
    public @Nullable String query() {
        return queryOf(target);
    }

    @Override
    public String host() {
        return host;
    }

    @Override
    public @Nullable String header(String name) {
        return fields.get(name);
    }

    /** The fields of a request. */
    public interface Fields {
        /** The first value of a field, whose name is compared without case; null: there is none. */
        @Nullable
        String get(String name);
    }
}
