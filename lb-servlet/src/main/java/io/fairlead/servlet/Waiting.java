package io.fairlead.servlet;

import io.fairlead.NoEndpointException;
import io.fairlead.Pick;
import io.fairlead.limit.Entrant;
import io.fairlead.limit.WaitingLine;
import org.jspecify.annotations.Nullable;

/**
 * The first server of an exchange, which may be there at once, or later: told to its tries as soon as both the server is
 * known and the exchange is ready for it.
 */
final class Waiting implements Entrant {
    private final Tries tries;

    // Guarded by this.
    private @Nullable Pick pick;
    private @Nullable NoEndpointException refusal;
    private boolean begun;
    private boolean givenUp;

    Waiting(Tries tries) {
        this.tries = tries;
    }

    @Override
    public void admitted(Pick admitted) {
        synchronized (this) {
            if (!begun && !givenUp) {
                pick = admitted;
                return;
            }
        }
        tell(admitted, null);
    }

    @Override
    public void refused(NoEndpointException why) {
        synchronized (this) {
            if (!begun && !givenUp) {
                refusal = why;
                return;
            }
        }
        tell(null, why);
    }

    /** The exchange is ready. */
    void begin() {
        Pick known;
        NoEndpointException why;
        synchronized (this) {
            begun = true;
            known = pick;
            why = refusal;
        }
        tell(known, why);
    }

    /** The exchange has ended before it was ready. */
    void giveUp(WaitingLine.@Nullable Ticket ticket) {
        if (ticket != null) {
            ticket.leave();
        }
        Pick known;
        synchronized (this) {
            givenUp = true;
            known = pick;
        }
        if (known != null) {
            known.cancel();
        }
    }

    private void tell(@Nullable Pick known, @Nullable NoEndpointException why) {
        boolean unwanted;
        synchronized (this) {
            unwanted = givenUp;
        }
        if (known != null && unwanted) {
            known.cancel();
        } else if (known != null) {
            tries.admitted(known);
        } else if (why != null && !unwanted) {
            tries.refused(why);
        }
    }
}
