package io.fairlead.servlet.middleware;

import io.fairlead.config.ConfigNode;
import io.fairlead.retry.RetryPolicy;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code buffering: {maxRequestBodyBytes: 2000000}}: limits the bodies of requests and answers, reads the former before a
 * server is asked, and the latter before the client is answered, as far as they fit into memory.
 */
final class Buffering implements Middleware {
    private static final int MEMORY_BYTES = 1 << 20;

    /** What has become of one try. */
    private record Ended(boolean network, int status, int attempts) {}

    private static final Map<String, Expression.Function<Ended>> FUNCTIONS = Map.of(
            "IsNetworkError",
            new Expression.Function<>(0, (ended, none) -> ended.network() ? 1 : 0, true),
            "Attempts",
            new Expression.Function<>(0, (ended, none) -> ended.attempts(), false),
            "ResponseCode",
            new Expression.Function<>(0, (ended, none) -> ended.status(), false));

    private final long maxRequest;
    private final int memRequest;
    private final long maxAnswer;
    private final int memAnswer;
    private final boolean keepsRequest;
    private final boolean keepsAnswer;
    private final @Nullable RetryPolicy retries;

    private Buffering(ConfigNode node, @Nullable RetryPolicy retries) {
        maxRequest = limit(node.get("maxRequestBodyBytes"));
        maxAnswer = limit(node.get("maxResponseBodyBytes"));
        memRequest = node.get("memRequestBodyBytes").integer(0, RetryPolicy.MAX_BUFFER, MEMORY_BYTES);
        memAnswer = node.get("memResponseBodyBytes").integer(0, RetryPolicy.MAX_BUFFER, MEMORY_BYTES);
        keepsRequest = !node.get("disableRequestBuffer").bool(false);
        keepsAnswer = !node.get("disableResponseBuffer").bool(false);
        this.retries = retries;
    }

    static Middleware read(ConfigNode node) {
        node.allow(
                "maxRequestBodyBytes",
                "memRequestBodyBytes",
                "maxResponseBodyBytes",
                "memResponseBodyBytes",
                "retryExpression",
                "disableRequestBuffer",
                "disableResponseBuffer");
        return new Buffering(node, retries(node.get("retryExpression")));
    }

    /** Zero and -1: no limit. */
    private static long limit(ConfigNode node) {
        int bytes = node.integer(-1, Integer.MAX_VALUE, 0);
        return bytes <= 0 ? Long.MAX_VALUE : bytes;
    }

    /** The policy that sends again what the expression says; null where there is none. */
    private static @Nullable RetryPolicy retries(ConfigNode node) {
        String text = node.string("");
        if (text.isEmpty()) {
            return null;
        }
        Expression.Condition<Ended> condition;
        try {
            condition = Expression.parse(text, FUNCTIONS);
        } catch (Expression.Unreadable e) {
            node.problem(String.valueOf(e.getMessage()));
            return null;
        }
        int attempts = 1;
        while (attempts < RetryPolicy.MAX_ATTEMPTS && isSentAgain(condition, attempts)) {
            attempts++;
        }
        List<Integer> statuses = new ArrayList<>();
        for (int status = 400; status < 600; status++) {
            if (condition.test(answered(status, 1))) {
                statuses.add(status);
            }
        }
        boolean network = condition.test(new Ended(true, 502, 1));
        return RetryPolicy.builder()
                .attempts(attempts)
                .statuses(statuses)
                .failures(network ? RetryPolicy.DEFAULT.failures() : EnumSet.noneOf(RetryPolicy.Failure.class))
                .build();
    }

    private static boolean isSentAgain(Expression.Condition<Ended> condition, int attempts) {
        for (int status = 400; status < 600; status++) {
            if (condition.test(answered(status, attempts))) {
                return true;
            }
        }
        return condition.test(new Ended(true, 502, attempts));
    }

    /** Traefik takes these statuses for errors of the network, whoever gives them. */
    private static Ended answered(int status, int attempts) {
        return new Ended(status == 502 || status == 504, status, attempts);
    }

    @Override
    public void apply(RoutedRequest request) {
        if (announced(request) > maxRequest) {
            request.answer(OwnAnswer.of(413, "The body of the request is too large"));
            return;
        }
        request.limitBody(maxRequest);
        if (keepsRequest) {
            request.bufferBody(memRequest);
        }
        if (retries != null) {
            request.retryBy(retries);
        }
        if (keepsAnswer) {
            request.onAnswer(head -> {
                if (head.isOwn() || head.isBodiless()) {
                    return;
                }
                if (head.length() > maxAnswer) {
                    head.replace(HeldBack.tooLong());
                } else {
                    head.transformHeldBack(new HeldBack(memAnswer, maxAnswer));
                }
            });
        }
    }

    private static long announced(RoutedRequest request) {
        String length = request.facts().header("Content-Length");
        return length != null && length.matches("[0-9]{1,18}") ? Long.parseLong(length) : -1;
    }
}
