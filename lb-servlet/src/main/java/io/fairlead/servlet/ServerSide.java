package io.fairlead.servlet;

import io.fairlead.MirrorCopies;
import io.fairlead.Outcome;
import io.fairlead.Pick;
import io.fairlead.limit.WaitingLine;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The server's side of an exchange: what is asked of which service, the try that the exchange depends on, and what is
 * under way beside it. It begins nothing by itself, and knows of no end.
 *
 * <p>Safe for use from any thread, without a lock: whoever notes here what has begun looks afterwards whether the exchange
 * has ended meanwhile, and whoever ends it looks here afterwards for what has begun. A page of another service puts a new
 * leg in the place of the old one before the race goes, so the race is read before the leg: else a late answer of the old
 * leg would be taken for one of the new.
 */
final class ServerSide {
    private final Incoming incoming;
    private final ClientSide client;

    /** What is asked of which service; changes once at the most, when a page of another service is wanted. */
    private volatile Leg leg;

    /** In the line of those that wait for a place at a server. */
    private volatile WaitingLine.@Nullable Ticket place;

    private volatile @Nullable Try current;
    /** Of the current try, where it may have copies. */
    private volatile @Nullable Race race;

    /** The copies for mirrors; null: there are none to be made. */
    private volatile @Nullable MirroredRequest mirrored;

    ServerSide(Incoming incoming, ClientSide client) {
        this.incoming = incoming;
        this.client = client;
        this.leg = Leg.of(incoming.balancer(), incoming.facts(), incoming.routed());
    }

    /** What is asked now. */
    Leg leg() {
        return leg;
    }

    /** The client's body, where it belongs to what is asked now. */
    @Nullable
    RequestBody sentBody() {
        return leg.isPage() ? null : client.body();
    }

    /** Whether the request can be sent once more. */
    boolean canSendBody() {
        RequestBody sending = sentBody();
        return sending == null || sending.isReplayable();
    }

    // What begins.

    /** @param ticket null: no place in a line is waited for, or not any more */
    void waitsIn(WaitingLine.@Nullable Ticket ticket) {
        place = ticket;
    }

    /** @param racing null: the next try has no copies */
    void races(@Nullable Race racing) {
        race = racing;
    }

    /** The exchange depends on this try from now on. */
    void dependsOn(Try started) {
        current = started;
    }

    /** Another service is asked for a page. */
    void asksFor(Leg page) {
        current = null;
        leg = page;
        race = null;
    }

    /** The copies that are to be made beside a try and those before. */
    @Nullable
    MirroredRequest mirrored(Pick pick) {
        MirroredRequest before = mirrored;
        MirrorCopies copies = pick.copies(before == null ? null : before.copies());
        if (copies == null) {
            return null;
        }
        MirroredRequest now = before;
        if (now == null) {
            now = MirroredRequest.of(
                    incoming.request(),
                    incoming.facts(),
                    incoming.routed(),
                    incoming.trust(),
                    client.body(),
                    copies,
                    incoming.upstreams().mirrors());
            mirrored = now;
        }
        now.takeCopies();
        return now;
    }

    // What tries come to.

    /** Whether the exchange depends on this try, whose answer has come: not when a copy has been answered before. */
    boolean takes(Try answering) {
        // In this order: a race that has gone is gone after its leg.
        Race racing = race;
        if (!answering.isOf(leg) || (racing != null && !racing.won(answering))) {
            return false;
        }
        current = answering;
        return true;
    }

    /** Whether this try is of the client's own request, and no copy may be answered in its stead. */
    boolean isAlone(Try answering) {
        // In this order, too.
        if (race != null) {
            return false;
        }
        Leg now = leg;
        return answering.isOf(now) && !now.isPage();
    }

    /** What the tries of the present leg race in; null: they do not. To be asked for before the {@link #leg()}. */
    @Nullable
    Race race() {
        return race;
    }

    /** Settles how the try is judged that the exchange depends on. */
    void judge(Outcome outcome) {
        Try answering = current;
        if (answering != null) {
            answering.pick().done(outcome);
        }
    }

    /** Some of the answer has come, or has been taken. */
    void moved() {
        Try answering = current;
        if (answering != null) {
            answering.moved();
        }
    }

    /** The client has the answer whole; the rest of the request is given a moment to be written, or none. */
    void handedOver() {
        Try answering = current;
        RequestBody sending = sentBody();
        if (answering != null && sending != null) {
            // The answer came early, or the request's end is still being written.
            if (sending.isReadWhole()) {
                answering.limitRelease();
            } else {
                answering.cancel(new IOException("the answer came before the end of the request"));
            }
        }
    }

    // What is given up.

    /** Nobody wants the answer any more: nothing more of it is to come. */
    void disconnect() {
        Try answering = current;
        if (answering != null) {
            answering.disconnect();
        }
    }

    /** Gives up the try that the exchange depends on. */
    void cancel(Throwable cause) {
        Try running = current;
        if (running != null) {
            running.cancel(cause);
        }
    }

    /** Gives up the tries that race; one that has won stays what the exchange depends on. */
    void cancelRace(Throwable cause) {
        Race racing = race;
        if (racing != null) {
            racing.cancel(cause);
        }
    }

    /** Nothing is waited for, read or copied any more. Tries that are under way are not given up by this. */
    void close() {
        WaitingLine.Ticket waiting = place;
        if (waiting != null) {
            waiting.leave();
        }
        RequestBody reading = client.body();
        if (reading != null) {
            reading.close();
        }
        MirroredRequest copied = mirrored;
        if (copied != null) {
            copied.close();
        }
    }
}
