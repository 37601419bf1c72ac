package io.fairlead.servlet.middleware;

import io.fairlead.config.ConfigNode;
import io.fairlead.retry.Backoff;
import io.fairlead.retry.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * {@code retry: {attempts: 4}}: how often a router's requests are sent, in place of what the service says. Which failures
 * may be repeated at all stays as it is for every request.
 */
final class Retry implements Middleware {
    /** As much of a body as Traefik keeps. */
    private static final int BODY_BYTES = 2 << 20;

    private static final int LEAST_FAILURE = 400;

    private final RetryPolicy policy;

    private Retry(RetryPolicy policy) {
        this.policy = policy;
    }

    static Middleware read(ConfigNode node) {
        node.allow(
                "attempts",
                "initialInterval",
                "timeout",
                "status",
                "maxRequestBodyBytes",
                "disableRetryOnNetworkError",
                "retryNonIdempotentMethod");
        node.get("attempts").require();
        int attempts = node.get("attempts").integer(1, RetryPolicy.MAX_ATTEMPTS, 1);
        Duration interval = node.get("initialInterval").duration(Duration.ZERO);
        // Nobody asks again for what has been given.
        Set<Integer> failures =
                StatusRanges.read(node.get("status").items(), LEAST_FAILURE).all();
        boolean noNetwork = node.get("disableRetryOnNetworkError").bool(false);
        if (noNetwork && failures.isEmpty()) {
            node.problem("disableRetryOnNetworkError needs a status, since nothing would be tried again without one");
        }
        int bytes = node.get("maxRequestBodyBytes").integer(-1, RetryPolicy.MAX_BUFFER, BODY_BYTES);
        List<String> methods = new ArrayList<>(RetryPolicy.DEFAULT.methods());
        if (node.get("retryNonIdempotentMethod").bool(false)) {
            methods.addAll(List.of("POST", "LOCK", "PATCH"));
        }
        return new Retry(RetryPolicy.builder()
                .attempts(attempts)
                .backoff(interval.isZero() ? Backoff.NONE : Backoff.of(interval, interval.multipliedBy(2), 50, true))
                .timeout(node.get("timeout").duration(Duration.ZERO))
                .statuses(failures)
                .failures(noNetwork ? EnumSet.noneOf(RetryPolicy.Failure.class) : RetryPolicy.DEFAULT.failures())
                .methods(methods)
                .bufferBody(bytes < 0 ? RetryPolicy.MAX_BUFFER : bytes)
                .build());
    }

    @Override
    public void apply(RoutedRequest request) {
        request.retryBy(policy);
    }
}
