package io.fairlead.sticky;

import io.fairlead.ForwardingPick;
import io.fairlead.Pick;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A pick of a service that keeps its clients: where the client was already, or where it is to stay from now on. */
final class StickyPick extends ForwardingPick {
    private final boolean kept;
    private final @Nullable Affinity toSet;
    private final String id;

    /**
     * Wraps a pick.
     *
     * @param kept whether a cookie of the client's means the place
     * @param toSet sets the cookie; null: the client has it, and no other that counts before it
     * @param id the place, where a cookie is to be set
     */
    StickyPick(Pick pick, boolean kept, @Nullable Affinity toSet, String id) {
        super(pick);
        this.kept = kept;
        this.toSet = toSet;
        this.id = id;
    }

    @Override
    public boolean isKept() {
        return kept || super.isKept();
    }

    @Override
    public List<String> setCookies() {
        if (toSet == null) {
            return super.setCookies();
        }
        List<String> all = new ArrayList<>(super.setCookies());
        all.add(toSet.setCookie(id));
        return all;
    }
}
