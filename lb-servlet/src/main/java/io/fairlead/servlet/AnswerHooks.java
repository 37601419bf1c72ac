package io.fairlead.servlet;

import io.fairlead.servlet.middleware.AnswerHook;
import io.fairlead.servlet.middleware.OwnAnswer;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The hooks of one request on the heads of its answers, called from the innermost middleware to the outermost. */
final class AnswerHooks {
    private static final Logger log = LoggerFactory.getLogger(ProxyFilter.class);

    private final List<AnswerHook> hooks;
    private final String method;
    private final String service;

    AnswerHooks(List<AnswerHook> hooks, String method, String service) {
        this.hooks = hooks;
        this.method = method;
        this.service = service;
    }

    /**
     * What has become of a head.
     *
     * @param head the head; with a {@linkplain Head#page() page} that is to be had first
     * @param left so many hooks have not seen it
     */
    record Result(Head head, int left) {
        /** What is to be had of another service before the rest goes on; null: nothing. */
        Head.@Nullable Page page() {
            return head.page();
        }
    }

    boolean isEmpty() {
        return hooks.isEmpty();
    }

    /** Shows the head to all hooks. */
    Result run(Head head) {
        return run(head, hooks.size());
    }

    /** Shows the head to the outermost {@code left} hooks. */
    Result run(Head head, int left) {
        Head shown = head;
        for (int i = left - 1; i >= 0; i--) {
            OwnAnswer other;
            try {
                hooks.get(i).head(shown);
                other = shown.replacement();
            } catch (RuntimeException | Error e) {
                // Whatever it is, it costs this request and must not leave it without an answer.
                log.warn("service '{}': what was to be done with an answer failed", service, e);
                return new Result(Head.of(Answer.FAILED.own(), method, service), 0);
            }
            if (other != null) {
                shown = Head.of(other, method, service);
            } else if (shown.page() != null) {
                return new Result(shown, i);
            }
        }
        return new Result(shown, 0);
    }

    /** As {@link #run(Head)} where other services cannot be asked any more. */
    Head runWithoutPages(Head head) {
        return runWithoutPages(head, hooks.size());
    }

    Head runWithoutPages(Head head, int left) {
        Result result = run(head, left);
        while (result.page() != null) {
            result = run(fallback(result.head()), result.left());
        }
        return result.head();
    }

    /** What is answered where the page of another service cannot be had. */
    Head fallback(Head replaced) {
        return replaced.withoutPage(method, service);
    }
}
