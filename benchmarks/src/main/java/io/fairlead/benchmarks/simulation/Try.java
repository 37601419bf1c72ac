package io.fairlead.benchmarks.simulation;

import io.fairlead.Outcome;
import io.fairlead.Pick;
import io.fairlead.Scheduler;
import org.jspecify.annotations.Nullable;

/** One try of a call: over the network to a server and back, within its time limits. Makes a connection of its own. */
final class Try implements Job {
    private final CallContext context;
    private final Call call;
    private final Pick pick;
    private final SimulatedServer server;

    private Scheduler.@Nullable Timer limit;
    private boolean over;

    Try(CallContext context, Call call, Pick pick, SimulatedServer server) {
        this.context = context;
        this.call = call;
        this.pick = pick;
        this.server = server;
    }

    void send() {
        context.time().schedule(this::arrive, context.networkNanos());
    }

    private void arrive() {
        switch (server.offer(this)) {
            case ACCEPTED -> failAfter(context.limits().responseNanos(), Outcome.timedOut(null));
            case SILENT -> failAfter(context.limits().connectNanos(), Outcome.connectFailed(null));
            case REFUSED -> later(() -> call.failed(Outcome.connectFailed(null)));
        }
    }

    /** Fails so long after the try began, unless it ends before. */
    private void failAfter(long nanos, Outcome outcome) {
        limit = context.time().schedule(() -> end(() -> call.failed(outcome)), nanos - context.networkNanos());
    }

    @Override
    public void answer(int status) {
        later(() -> call.answered(pick, status));
    }

    @Override
    public void broken() {
        later(() -> call.failed(Outcome.broken(null)));
    }

    /** The client hears of it when it has come over the network. */
    private void later(Runnable end) {
        context.time().schedule(() -> end(end), context.networkNanos());
    }

    private void end(Runnable end) {
        if (over) {
            return;
        }
        over = true;
        if (limit != null) {
            limit.cancel();
        }
        end.run();
    }
}
