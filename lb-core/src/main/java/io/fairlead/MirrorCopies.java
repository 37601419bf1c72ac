package io.fairlead;

import java.util.ArrayList;
import java.util.List;

/**
 * The copies of one request that are still to be sent.
 *
 * <p>Belongs to one request, whose calls are ordered, from whatever threads.
 */
public final class MirrorCopies {
    private final List<Object> asked = new ArrayList<>(1);
    private final List<MirrorCopy> copies = new ArrayList<>(1);

    /** None so far. */
    public MirrorCopies() {}

    /** Notes that a service has been asked for copies; false: it has been before, for this request. */
    public boolean ask(Object service) {
        for (Object each : asked) {
            if (each == service) {
                return false;
            }
        }
        return asked.add(service);
    }

    /** Adds a copy. */
    public void add(MirrorCopy copy) {
        copies.add(copy);
    }

    /** Takes out all copies; they are the caller's to send or to drop. */
    public List<MirrorCopy> take() {
        List<MirrorCopy> all = new ArrayList<>(copies);
        copies.clear();
        return all;
    }

    @Override
    public String toString() {
        return "MirrorCopies" + copies;
    }
}
