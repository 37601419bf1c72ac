package io.fairlead.health;

import java.util.Objects;

/**
 * Ejects servers of whose requests a great share fails, whatever the others do (Envoy's {@code failure_percentage}, gRPC's
 * proposal A50). At the end of each interval, of the servers with at least {@link #requestVolume()} requests in it, when
 * there are at least {@link #minimumHosts()} such: one is an outlier of whose requests at least {@link #threshold()}
 * percent failed.
 *
 * <p>Immutable; equal by value.
 */
public final class FailurePercentageEjection {
    /** 85 %, 5 servers, 50 requests, every outlier. */
    public static final FailurePercentageEjection DEFAULT = new FailurePercentageEjection(85, 5, 50, 100);

    private final int threshold;
    private final int minimumHosts;
    private final int requestVolume;
    private final int enforcementPercentage;

    private FailurePercentageEjection(int threshold, int minimumHosts, int requestVolume, int enforcementPercentage) {
        this.threshold = threshold;
        this.minimumHosts = minimumHosts;
        this.requestVolume = requestVolume;
        this.enforcementPercentage = enforcementPercentage;
    }

    /** The share of failures, in percent, at which a server is an outlier. */
    public int threshold() {
        return threshold;
    }

    /** How many servers with enough requests there must be. */
    public int minimumHosts() {
        return minimumHosts;
    }

    /** How many requests a server must have ended in the interval to be judged. */
    public int requestVolume() {
        return requestVolume;
    }

    /** The chance in percent that an outlier is ejected. */
    public int enforcementPercentage() {
        return enforcementPercentage;
    }

    /** With another threshold, 1 to 100 percent. */
    public FailurePercentageEjection withThreshold(int percent) {
        Ranges.check(percent, 1, 100, "threshold");
        return new FailurePercentageEjection(percent, minimumHosts, requestVolume, enforcementPercentage);
    }

    /** With another number of servers, at least 1. */
    public FailurePercentageEjection withMinimumHosts(int hosts) {
        Ranges.check(hosts, 1, Integer.MAX_VALUE, "minimumHosts");
        return new FailurePercentageEjection(threshold, hosts, requestVolume, enforcementPercentage);
    }

    /** With another number of requests, at least 1. */
    public FailurePercentageEjection withRequestVolume(int requests) {
        Ranges.check(requests, 1, Integer.MAX_VALUE, "requestVolume");
        return new FailurePercentageEjection(threshold, minimumHosts, requests, enforcementPercentage);
    }

    /** With another chance of ejection, 0 to 100 percent. */
    public FailurePercentageEjection withEnforcementPercentage(int percent) {
        Ranges.check(percent, 0, 100, "enforcementPercentage");
        return new FailurePercentageEjection(threshold, minimumHosts, requestVolume, percent);
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof FailurePercentageEjection)) {
            return false;
        }
        FailurePercentageEjection that = (FailurePercentageEjection) other;
        return threshold == that.threshold
                && minimumHosts == that.minimumHosts
                && requestVolume == that.requestVolume
                && enforcementPercentage == that.enforcementPercentage;
    }

    @Override
    public int hashCode() {
        return Objects.hash(threshold, minimumHosts, requestVolume, enforcementPercentage);
    }

    @Override
    public String toString() {
        return "FailurePercentageEjection{threshold=" + threshold + ", minimumHosts=" + minimumHosts
                + ", requestVolume=" + requestVolume + ", enforcementPercentage=" + enforcementPercentage + "}";
    }
}
