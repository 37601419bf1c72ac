package io.fairlead.health;

/**
 * Ejects servers of whose requests a great share fails, whatever the others do (Envoy's {@code failure_percentage}, gRPC's
 * proposal A50). At the end of each interval, of the servers with at least {@link #requestVolume()} requests in it, when
 * there are at least {@link #minimumHosts()} such: one is an outlier of whose requests at least {@link #threshold()}
 * percent failed.
 *
 * <p>Immutable; equal by value.
 */
public final class FailurePercentageEjection extends OutlierEjection<FailurePercentageEjection> {
    /** 85 %, 5 servers, 50 requests, every outlier. */
    public static final FailurePercentageEjection DEFAULT = new FailurePercentageEjection(85, 5, 50, 100);

    private FailurePercentageEjection(int threshold, int minimumHosts, int requestVolume, int enforcementPercentage) {
        super("threshold", threshold, minimumHosts, requestVolume, enforcementPercentage);
    }

    @Override
    FailurePercentageEjection with(int threshold, int hosts, int requests, int percent) {
        return new FailurePercentageEjection(threshold, hosts, requests, percent);
    }

    /** The share of failures, in percent, at which a server is an outlier. */
    public int threshold() {
        return limit();
    }

    /**
     * With another threshold, 1 to 100 percent.
     *
     * @throws IllegalArgumentException it is out of that range
     */
    public FailurePercentageEjection withThreshold(int percent) {
        return withLimit(Ranges.check(percent, 1, 100, "threshold"));
    }
}
