package io.fairlead.agent.route;

import io.fairlead.agent.bootstrap.Faults;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Waits between the tries of clients whose threads must not wait, on one daemon thread that is made at the first wait. */
// What goes wrong in a task is reported by the task.
@SuppressWarnings("FutureReturnValueIgnored")
public final class Delays {
    private Delays() {}

    /** Runs a task after some nanoseconds; at once, on the calling thread, where there are none. */
    public static void run(long nanos, Runnable task) {
        if (nanos <= 0) {
            task.run();
        } else {
            Holder.EXECUTOR.schedule(
                    () -> {
                        try {
                            task.run();
                        } catch (RuntimeException | Error e) {
                            Faults.report(e);
                        }
                    },
                    nanos,
                    TimeUnit.NANOSECONDS);
        }
    }

    private static final class Holder {
        static final ScheduledThreadPoolExecutor EXECUTOR = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "fairlead-waits");
            thread.setDaemon(true);
            return thread;
        });
    }
}
