package io.fairlead.servlet.middleware;

import java.io.IOException;

/**
 * Thrown by a {@link BodyTransform} that will not let the body through: where nothing of the answer has been sent the
 * client gets another one, and else a broken one.
 */
public final class AnswerException extends IOException {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings("serial") // Nobody writes it anywhere.
    private final OwnAnswer answer;

    /** With the answer that is given instead. */
    public AnswerException(OwnAnswer answer) {
        super(answer.title());
        this.answer = answer;
    }

    /** What the client gets where that is still possible. */
    public OwnAnswer answer() {
        return answer;
    }
}
