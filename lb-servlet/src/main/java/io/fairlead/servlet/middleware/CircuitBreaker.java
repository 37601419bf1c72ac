package io.fairlead.servlet.middleware;

import io.fairlead.Ticker;
import io.fairlead.config.ConfigNode;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * {@code circuitBreaker: {expression: ...}}: keeps requests from a service that does not bear them. What counts is how
 * they end behind this middleware.
 */
final class CircuitBreaker implements Middleware {
    private static final Map<String, Expression.Function<AnswerCounts>> FUNCTIONS = Map.of(
            "NetworkErrorRatio",
            new Expression.Function<>(0, (counts, none) -> counts.networkErrorRatio(), false),
            "ResponseCodeRatio",
            new Expression.Function<>(
                    4, (counts, a) -> counts.ratio((int) a[0], (int) a[1], (int) a[2], (int) a[3]), false),
            "LatencyAtQuantileMS",
            new Expression.Function<>(1, (counts, a) -> counts.latencyAtQuantile(a[0]), false));

    private final Circuit circuit;
    private final int responseCode;

    CircuitBreaker(Circuit circuit, int responseCode) {
        this.circuit = circuit;
        this.responseCode = responseCode;
    }

    static @Nullable Middleware read(ConfigNode node) {
        node.allow("expression", "checkPeriod", "fallbackDuration", "recoveryDuration", "responseCode");
        Duration check = positive(node.get("checkPeriod"), Duration.ofMillis(100));
        Duration fallback = positive(node.get("fallbackDuration"), Duration.ofSeconds(10));
        Duration recovery = positive(node.get("recoveryDuration"), Duration.ofSeconds(10));
        int code = node.get("responseCode").integer(400, 599, 503);
        String text = node.get("expression").requiredString();
        if (text == null) {
            return null;
        }
        try {
            return new CircuitBreaker(new Circuit(condition(text), check, fallback, recovery, Ticker.system()), code);
        } catch (Expression.Unreadable e) {
            node.get("expression").problem(String.valueOf(e.getMessage()));
            return null;
        }
    }

    static Expression.Condition<AnswerCounts> condition(String text) throws Expression.Unreadable {
        return Expression.parse(text, FUNCTIONS);
    }

    private static Duration positive(ConfigNode node, Duration orElse) {
        Duration duration = node.duration(orElse);
        if (duration.isZero()) {
            node.problem("must be more than zero");
            return orElse;
        }
        return duration;
    }

    @Override
    public boolean keepsState() {
        return true;
    }

    @Override
    public void apply(RoutedRequest request) {
        long admitted = circuit.admit();
        if (admitted == Circuit.REFUSED) {
            OwnAnswer answer = OwnAnswer.of(responseCode, "The service is given time to recover");
            request.answer(answer.withField("Retry-After", Integer.toString(circuit.secondsLeft())));
            return;
        }
        long begun = circuit.now();
        AtomicInteger status = new AtomicInteger();
        request.onAnswer(head -> status.set(head.status()));
        request.onEnd(() -> {
            // None: the client went away before there was an answer, which says nothing of the service.
            if (status.get() != 0) {
                circuit.ended(admitted, status.get(), circuit.now() - begun);
            }
        });
    }
}
