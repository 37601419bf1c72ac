package io.fairlead.agent.weave;

/** A class is not of the shape that the agent knows. */
final class ShapeException extends Exception {
    private static final long serialVersionUID = 1L;

    ShapeException(String what) {
        super(what);
    }
}
