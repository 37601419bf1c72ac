package io.fairlead.config;

import io.fairlead.retry.Backoff;
import io.fairlead.retry.HedgePolicy;
import io.fairlead.retry.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads {@code retry} and {@code hedge}. */
final class RetryReader {
    private RetryReader() {}

    static RetryPolicy retry(ConfigNode node) {
        if (node.isMissing()) {
            return RetryPolicy.DEFAULT;
        }
        node.allow(
                "attempts",
                "perTryTimeout",
                "timeout",
                "methods",
                "statuses",
                "failures",
                "backoff",
                "retryAfter",
                "maxRetryAfter",
                "bufferBody",
                "budget");
        RetryPolicy defaults = RetryPolicy.DEFAULT;
        RetryPolicy.Builder policy = RetryPolicy.builder();
        policy.attempts(node.get("attempts").integer(1, RetryPolicy.MAX_ATTEMPTS, defaults.attempts()));
        policy.perTryTimeout(node.get("perTryTimeout").duration(defaults.perTryTimeout()));
        policy.timeout(node.get("timeout").duration(defaults.timeout()));
        if (!node.get("methods").isMissing()) {
            policy.methods(methods(node));
        }
        policy.statuses(statuses(node));
        if (!node.get("failures").isMissing()) {
            policy.failures(failures(node));
        }
        policy.backoff(backoff(node.get("backoff")));
        policy.retryAfter(node.get("retryAfter").bool(defaults.retryAfter()));
        policy.maxRetryAfter(node.get("maxRetryAfter").duration(defaults.maxRetryAfter()));
        policy.bufferBody(bytes(node.get("bufferBody"), defaults.bufferBody()));
        ConfigNode budget = node.get("budget");
        budget.allow("percent", "minPerSecond");
        policy.budget(
                budget.get("percent").integer(0, 1000, defaults.budgetPercent()),
                budget.get("minPerSecond").integer(0, 1_000_000, defaults.budgetPerSecond()));
        return policy.build();
    }

    static @Nullable HedgePolicy hedge(ConfigNode node) {
        if (node.isMissing()) {
            return null;
        }
        node.allow("quantile", "minDelay", "maxExtra", "budgetPercent");
        HedgePolicy.Builder policy = HedgePolicy.builder();
        HedgePolicy defaults = policy.build();
        node.get("quantile").give(node.get("quantile").decimal(), policy::quantile);
        policy.minDelay(node.get("minDelay").duration(defaults.minDelay()));
        policy.maxExtra(node.get("maxExtra").integer(1, 3, defaults.maxExtra()));
        policy.budgetPercent(node.get("budgetPercent").integer(1, 100, defaults.budgetPercent()));
        return policy.build();
    }

    private static List<ConfigNode> list(ConfigNode node, String key) {
        return node.get(key).items();
    }

    private static List<String> methods(ConfigNode node) {
        List<String> methods = new ArrayList<>();
        for (ConfigNode each : list(node, "methods")) {
            each.give(each.requiredString(), method -> {
                // For what it says of the one method alone.
                RetryPolicy.builder().methods(Collections.singleton(method));
                methods.add(method);
            });
        }
        return methods;
    }

    private static List<Integer> statuses(ConfigNode node) {
        List<Integer> statuses = new ArrayList<>();
        for (ConfigNode each : list(node, "statuses")) {
            int status = each.integer(400, 599, 0);
            if (status != 0) {
                statuses.add(status);
            }
        }
        return statuses;
    }

    private static Set<RetryPolicy.Failure> failures(ConfigNode node) {
        Set<RetryPolicy.Failure> failures = EnumSet.noneOf(RetryPolicy.Failure.class);
        for (ConfigNode each : list(node, "failures")) {
            String name = each.requiredString();
            RetryPolicy.Failure failure = name == null ? null : failure(name);
            if (failure != null) {
                failures.add(failure);
            } else if (name != null) {
                each.problem("must be connect, broken or timeout, not " + Quote.of(name));
            }
        }
        return failures;
    }

    private static RetryPolicy.@Nullable Failure failure(String name) {
        for (RetryPolicy.Failure failure : RetryPolicy.Failure.values()) {
            if (failure.name().equalsIgnoreCase(name)) {
                return failure;
            }
        }
        return null;
    }

    private static Backoff backoff(ConfigNode node) {
        if (node.isMissing()) {
            return Backoff.NONE;
        }
        node.allow("initial", "max", "jitter", "afterConnect");
        Backoff usual = Backoff.USUAL;
        Duration initial = node.get("initial").duration(usual.initial());
        Duration max = node.get("max").duration(initial.compareTo(usual.max()) > 0 ? initial : usual.max());
        if (max.compareTo(initial) < 0) {
            node.get("max").problem("is less than initial");
            max = initial;
        }
        return Backoff.of(
                initial,
                max,
                node.get("jitter").integer(0, 100, usual.jitterPercent()),
                node.get("afterConnect").bool(usual.afterConnect()));
    }

    /** A number of bytes, or of KiB or MiB where it says so. */
    private static int bytes(ConfigNode node, int orElse) {
        String text = node.string();
        if (text == null) {
            return orElse;
        }
        String lower = text.toLowerCase(Locale.ROOT);
        int shift = lower.endsWith("kib") ? 10 : lower.endsWith("mib") ? 20 : 0;
        String number =
                shift == 0 ? lower : lower.substring(0, lower.length() - 3).trim();
        if (number.matches("[0-9]{1,9}")) {
            long bytes = Long.parseLong(number) << shift;
            if (bytes <= RetryPolicy.MAX_BUFFER) {
                return (int) bytes;
            }
        }
        node.problem("must be a number of bytes such as 65536, 64KiB or 1MiB, 64MiB at most, not " + Quote.of(text));
        return orElse;
    }
}
