package io.fairlead.health;

import io.fairlead.Outcome;
import io.fairlead.Scheduler;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Ejects the servers of one service for the failures of their requests, by a {@link PassiveHealthCheck}, which see. The
 * counts of an interval are read once, at its end, for all detectors; they are those of the servers that are not ejected.
 *
 * <p>Safe for use from any thread. Servers are compared, and ejected, under the lock that is passed in.
 *
 * @param <M> a server
 */
final class OutlierDetection<M extends PassiveHealth.Member> {
    private static final long HALF = 0xFFFFFFFFL;

    private final Scheduler scheduler;
    private final Object lock;
    private final Supplier<? extends Collection<M>> members;
    private final IntSupplier percent;
    private final Consumer<M> ejected;

    private volatile @Nullable PassiveHealthCheck check;

    // Guarded by the lock.
    private Scheduler.@Nullable Timer sweep;
    private boolean closed;

    /**
     * Detects nothing yet.
     *
     * @param members the servers at the moment
     * @param percent chance, from 0 to 99
     * @param ejected told, under the lock, of each server that was ejected by a sweep
     */
    OutlierDetection(
            Scheduler scheduler,
            Object lock,
            Supplier<? extends Collection<M>> members,
            IntSupplier percent,
            Consumer<M> ejected) {
        this.scheduler = scheduler;
        this.lock = lock;
        this.members = members;
        this.percent = percent;
        this.ejected = ejected;
    }

    /** Ejects by this check from now on; null: not at all, and those that are out come back. */
    void detectBy(@Nullable PassiveHealthCheck other) {
        synchronized (lock) {
            PassiveHealthCheck before = check;
            check = other;
            if (other == null) {
                members.get().forEach(member -> member.health().forgetFailures());
            }
            boolean isSame = before != null
                    && other != null
                    && before.isSweeping() == other.isSweeping()
                    && before.interval().equals(other.interval());
            if (!isSame) {
                // What was counted before is of no interval of this check.
                members.get().forEach(member -> member.health().readInterval());
                cancelSweep();
                scheduleSweep();
            }
        }
    }

    /** Ends the sweeps. */
    void close() {
        synchronized (lock) {
            closed = true;
            cancelSweep();
        }
    }

    private void cancelSweep() {
        if (sweep != null) {
            sweep.cancel();
            sweep = null;
        }
    }

    private void scheduleSweep() {
        PassiveHealthCheck limits = check;
        if (limits != null && limits.isSweeping() && !closed) {
            sweep = scheduler.schedule(this::sweep, limits.interval().toNanos());
        }
    }

    /** Counts a success. */
    void succeeded(EndpointHealth health) {
        PassiveHealthCheck limits = check;
        if (limits != null && limits.isSweeping()) {
            health.count(false);
        }
    }

    /** Counts a failure at this moment; whether the server is ejected for it. */
    boolean failed(EndpointHealth health, Outcome.Kind kind, long now) {
        PassiveHealthCheck limits = check;
        if (limits == null) {
            return false;
        }
        if (limits.isSweeping()) {
            health.count(true);
        }
        Detector detector = health.failed(limits, kind, now);
        if (detector == null) {
            return false;
        }
        synchronized (lock) {
            for (M member : members.get()) {
                if (member.health() == health) {
                    return eject(member, limits, detector, now);
                }
            }
            // It has left the list.
            return false;
        }
    }

    private void sweep() {
        synchronized (lock) {
            PassiveHealthCheck limits = check;
            if (closed || limits == null) {
                return;
            }
            List<M> judged = new ArrayList<>();
            for (M member : members.get()) {
                if (member.health().isEjected()) {
                    // What ended late is not held against the server when it is back.
                    member.health().readInterval();
                } else {
                    judged.add(member);
                }
            }
            long[] successes = new long[judged.size()];
            long[] failures = new long[judged.size()];
            for (int i = 0; i < successes.length; i++) {
                long counts = judged.get(i).health().readInterval();
                successes[i] = counts & HALF;
                failures[i] = counts >>> 32;
            }
            ejectOutliers(judged, new Outliers(successes, failures), limits);
            scheduleSweep();
        }
    }

    private void ejectOutliers(List<M> judged, Outliers outliers, PassiveHealthCheck limits) {
        SuccessRateEjection rate = limits.successRate();
        if (rate != null) {
            double threshold = outliers.successRateThreshold(rate);
            for (int i = 0; i < judged.size(); i++) {
                if (outliers.isBelow(i, threshold, rate)) {
                    enforce(judged.get(i), limits, Detector.SUCCESS_RATE, rate.enforcementPercentage());
                }
            }
        }
        FailurePercentageEjection share = limits.failurePercentage();
        if (share != null && outliers.canJudge(share)) {
            for (int i = 0; i < judged.size(); i++) {
                if (outliers.failsMost(i, share)) {
                    enforce(judged.get(i), limits, Detector.FAILURE_PERCENTAGE, share.enforcementPercentage());
                }
            }
        }
    }

    private void enforce(M member, PassiveHealthCheck limits, Detector detector, int enforcementPercentage) {
        if (percent.getAsInt() < enforcementPercentage && eject(member, limits, detector, scheduler.nanoTime())) {
            ejected.accept(member);
        }
    }

    /** With the lock held. */
    private boolean eject(M member, PassiveHealthCheck limits, Detector detector, long now) {
        EndpointHealth health = member.health();
        if (health.isEjected()) {
            return false;
        }
        int total = 0;
        int out = 0;
        boolean anotherUsable = false;
        for (M other : members.get()) {
            if (other.isCounted()) {
                total++;
                out += other.health().isEjected() ? 1 : 0;
                anotherUsable |=
                        other != member && !other.isFenced() && other.health().isUsable();
            }
        }
        int most = limits.maxEjectedPercent() == 0
                ? 0
                : (int) Math.max(1, (long) total * limits.maxEjectedPercent() / 100);
        if (!anotherUsable || out >= most) {
            health.ejectionRefused();
            return false;
        }
        health.eject(limits, detector, now);
        return true;
    }
}
