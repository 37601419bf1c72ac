package io.fairlead.health;

import java.util.Objects;

/**
 * Ejects servers whose share of successes is far below that of the others (Envoy's {@code success_rate}, gRPC's proposal
 * A50). At the end of each interval, of the servers with at least {@link #requestVolume()} requests in it, when there are
 * at least {@link #minimumHosts()} such: a server is an outlier whose success rate is less than
 * {@code mean - stdev * stdevFactor / 1000}, with the mean and the population's standard deviation of these rates.
 *
 * <p>Immutable; equal by value.
 */
public final class SuccessRateEjection {
    /** Factor 1.9, 5 servers, 100 requests, every outlier. */
    public static final SuccessRateEjection DEFAULT = new SuccessRateEjection(1900, 5, 100, 100);

    private final int stdevFactor;
    private final int minimumHosts;
    private final int requestVolume;
    private final int enforcementPercentage;

    private SuccessRateEjection(int stdevFactor, int minimumHosts, int requestVolume, int enforcementPercentage) {
        this.stdevFactor = stdevFactor;
        this.minimumHosts = minimumHosts;
        this.requestVolume = requestVolume;
        this.enforcementPercentage = enforcementPercentage;
    }

    /** How many standard deviations below the mean a rate may be, in thousandths. */
    public int stdevFactor() {
        return stdevFactor;
    }

    /** How many servers there must be to compare. */
    public int minimumHosts() {
        return minimumHosts;
    }

    /** How many requests a server must have ended in the interval to be compared. */
    public int requestVolume() {
        return requestVolume;
    }

    /** The chance in percent that an outlier is ejected. */
    public int enforcementPercentage() {
        return enforcementPercentage;
    }

    /** With another factor, 0 to 100,000 thousandths. */
    public SuccessRateEjection withStdevFactor(int thousandths) {
        Ranges.check(thousandths, 0, 100_000, "stdevFactor");
        return new SuccessRateEjection(thousandths, minimumHosts, requestVolume, enforcementPercentage);
    }

    /** With another number of servers, at least 1. */
    public SuccessRateEjection withMinimumHosts(int hosts) {
        Ranges.check(hosts, 1, Integer.MAX_VALUE, "minimumHosts");
        return new SuccessRateEjection(stdevFactor, hosts, requestVolume, enforcementPercentage);
    }

    /** With another number of requests, at least 1. */
    public SuccessRateEjection withRequestVolume(int requests) {
        Ranges.check(requests, 1, Integer.MAX_VALUE, "requestVolume");
        return new SuccessRateEjection(stdevFactor, minimumHosts, requests, enforcementPercentage);
    }

    /** With another chance of ejection, 0 to 100 percent. */
    public SuccessRateEjection withEnforcementPercentage(int percent) {
        Ranges.check(percent, 0, 100, "enforcementPercentage");
        return new SuccessRateEjection(stdevFactor, minimumHosts, requestVolume, percent);
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof SuccessRateEjection)) {
            return false;
        }
        SuccessRateEjection that = (SuccessRateEjection) other;
        return stdevFactor == that.stdevFactor
                && minimumHosts == that.minimumHosts
                && requestVolume == that.requestVolume
                && enforcementPercentage == that.enforcementPercentage;
    }

    @Override
    public int hashCode() {
        return Objects.hash(stdevFactor, minimumHosts, requestVolume, enforcementPercentage);
    }

    @Override
    public String toString() {
        return "SuccessRateEjection{stdevFactor=" + stdevFactor + ", minimumHosts=" + minimumHosts + ", requestVolume="
                + requestVolume + ", enforcementPercentage=" + enforcementPercentage + "}";
    }
}
