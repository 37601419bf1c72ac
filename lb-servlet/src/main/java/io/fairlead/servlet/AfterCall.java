package io.fairlead.servlet;

/**
 * A task that is handed to a call, which may run it at once: then it is run after the call, so that what stands around the
 * call does not stand around the task. Run by another thread, it does not wait.
 */
final class AfterCall implements Runnable {
    private final Runnable task;
    private final Thread caller = Thread.currentThread();

    // Of the caller's thread.
    private boolean returned;
    private boolean isDue;

    AfterCall(Runnable task) {
        this.task = task;
    }

    @Override
    public void run() {
        if (Thread.currentThread() == caller && !returned) {
            isDue = true;
        } else {
            task.run();
        }
    }

    /** The call is over; for who has made it. */
    void returned() {
        returned = true;
        if (isDue) {
            task.run();
        }
    }
}
