package io.fairlead;

import java.util.ArrayList;
import java.util.List;

/**
 * The copies of one request that are still to be sent.
 *
 * <p>Belongs to one request. Safe for use from any thread, since a request may have several tries at a time.
 */
public final class MirrorCopies {
    private final List<Object> asked = new ArrayList<>(1);
    private final List<MirrorCopy> copies = new ArrayList<>(1);

    /** None so far. */
    public MirrorCopies() {}

    /** Notes that a service has been asked for copies; false: it has been before, for this request. */
    public synchronized boolean ask(Object service) {
        for (Object each : asked) {
            if (each == service) {
                return false;
            }
        }
        return asked.add(service);
    }

    /** Adds a copy. */
    public synchronized void add(MirrorCopy copy) {
        copies.add(copy);
    }

    /** Takes out all copies; they are the caller's to send or to drop. */
    public synchronized List<MirrorCopy> take() {
        List<MirrorCopy> all = new ArrayList<>(copies);
        copies.clear();
        return all;
    }

    @Override
    public synchronized String toString() {
        return "MirrorCopies" + copies;
    }
}
