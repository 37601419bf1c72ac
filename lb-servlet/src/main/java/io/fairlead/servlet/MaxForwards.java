package io.fairlead.servlet;

import io.fairlead.servlet.middleware.OwnAnswer;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/** Over how many proxies an OPTIONS or a TRACE still goes (RFC 9110, 7.6.2); of other methods it means nothing. */
final class MaxForwards {
    static final String NAME = "Max-Forwards";
    private static final OwnAnswer OPTIONS_END = OwnAnswer.empty(204);
    /** As TRACE is not spoken here: what it tells would be the fields of the client, secrets among them. */
    private static final OwnAnswer TRACE_END =
            OwnAnswer.of(405, "The proxy does not answer to TRACE").withField("Allow", "OPTIONS");

    private MaxForwards() {}

    /** The answer to a request that goes no further; null: it goes on. */
    static @Nullable OwnAnswer answerTo(HttpServletRequest request) {
        if (!counts(request.getMethod()) || left(request.getHeader(NAME)) != 0) {
            return null;
        }
        return request.getMethod().equals("TRACE") ? TRACE_END : OPTIONS_END;
    }

    /** What the next one is told. */
    static String next(String method, String value) {
        int left = counts(method) ? left(value) : -1;
        return left > 0 ? Integer.toString(left - 1) : value;
    }

    private static boolean counts(String method) {
        return method.equals("OPTIONS") || method.equals("TRACE");
    }

    /** Less than zero: the field is missing, or no number that anybody means. */
    private static int left(@Nullable String value) {
        return value != null && value.matches("[0-9]{1,9}") ? Integer.parseInt(value) : -1;
    }
}
