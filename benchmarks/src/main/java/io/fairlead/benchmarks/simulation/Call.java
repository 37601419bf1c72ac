package io.fairlead.benchmarks.simulation;

import io.fairlead.NoEndpointException;
import io.fairlead.Outcome;
import io.fairlead.Pick;
import io.fairlead.limit.Entrant;
import io.fairlead.retry.Attempts;

/** One request of a client, carried the way the adapters carry it: through {@link Attempts}, try after try. */
final class Call implements Entrant {
    private static final long ASK_AGAIN_NANOS = 1_000_000_000L;

    private final CallContext context;
    private final Client client;
    private final boolean again;
    private final long begun;
    private final Attempts attempts;

    private Call(CallContext context, Client client, boolean again) {
        this.context = context;
        this.client = client;
        this.again = again;
        begun = context.time().nanoTime();
        attempts = Attempts.of(context.balancer(), client);
    }

    static void begin(CallContext context, Client client) {
        context.recording().begun();
        new Call(context, client, false).start();
    }

    private void start() {
        try {
            attempts.first(this);
        } catch (NoEndpointException noServer) {
            refused(noServer);
        }
    }

    @Override
    public void admitted(Pick pick) {
        send(pick);
    }

    /** The adapters answer 503 themselves. */
    @Override
    public void refused(NoEndpointException why) {
        end(false);
    }

    /** An answer is passed on, whatever its status. */
    void answered(Pick pick, int status) {
        pick.responded(status);
        pick.done(Outcome.status(status));
        end(status < 500);
    }

    /** A try failed before an answer. */
    void failed(Outcome outcome) {
        Pick next = attempts.next(outcome, true);
        if (next == null) {
            end(false);
            return;
        }
        context.recording().retried(begun);
        send(next);
    }

    private void send(Pick pick) {
        SimulatedServer server = context.servers().apply(pick.endpoint().id());
        context.recording().sent(server.index(), context.time().nanoTime());
        new Try(context, this, pick, server).send();
    }

    private void end(boolean served) {
        if (!served && !again && context.asksAgain().getAsBoolean()) {
            // Counted from now on, so that the run does not end before.
            context.recording().begun();
            context.time().schedule(() -> new Call(context, client, true).start(), ASK_AGAIN_NANOS);
        }
        context.recording().ended(begun, context.time().nanoTime(), served);
    }
}
