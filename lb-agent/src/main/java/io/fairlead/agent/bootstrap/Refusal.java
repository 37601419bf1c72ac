package io.fairlead.agent.bootstrap;

import java.io.IOException;

/** Says that a call cannot be made, since no server of its service can be used; woven code skips the call for it. */
public final class Refusal {
    /** What the application gets. */
    public final IOException cause;

    /** A refusal with its reason. */
    public Refusal(IOException cause) {
        this.cause = cause;
    }
}
