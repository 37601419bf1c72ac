package io.fairlead.servlet.middleware;

/** Sees the heads of answers, and may change them, before anything of them is sent. */
@FunctionalInterface
public interface AnswerHook {
    /**
     * Called once for a head; a second time for a request whose first answer came to nothing before any of it was sent.
     * It runs on a thread of the client or of the container and must not block. When it throws, the client gets a 500 of
     * the proxy's own.
     */
    void head(AnswerHead head);
}
