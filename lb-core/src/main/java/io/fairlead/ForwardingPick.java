package io.fairlead;

import io.fairlead.retry.Hedging;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A pick that hands everything on to another one, for those that add something to it. */
public abstract class ForwardingPick implements Pick {
    private final Pick pick;

    /** Wraps a pick. */
    protected ForwardingPick(Pick pick) {
        this.pick = pick;
    }

    @Override
    public Endpoint endpoint() {
        return pick.endpoint();
    }

    @Override
    public String service() {
        return pick.service();
    }

    @Override
    public ServiceSettings settings() {
        return pick.settings();
    }

    @Override
    public boolean isKept() {
        return pick.isKept();
    }

    @Override
    public List<String> setCookies() {
        return pick.setCookies();
    }

    @Override
    public @Nullable MirrorCopies copies(@Nullable MirrorCopies before) {
        return pick.copies(before);
    }

    @Override
    public void responded() {
        pick.responded();
    }

    @Override
    public void responded(int status) {
        pick.responded(status);
    }

    @Override
    public void done(Outcome outcome) {
        pick.done(outcome);
    }

    @Override
    public String toString() {
        return pick.toString();
    }

    @Override
    public void outrun() {
        pick.outrun();
    }

    @Override
    public @Nullable Hedging hedging() {
        return pick.hedging();
    }
}
