package io.fairlead.health;

/**
 * Ejects servers whose share of successes is far below that of the others (Envoy's {@code success_rate}, gRPC's proposal
 * A50). At the end of each interval, of the servers with at least {@link #requestVolume()} requests in it, when there are
 * at least {@link #minimumHosts()} such: a server is an outlier whose success rate is less than
 * {@code mean - stdev * stdevFactor / 1000}, with the mean and the population's standard deviation of these rates.
 *
 * <p>Immutable; equal by value.
 */
public final class SuccessRateEjection extends OutlierEjection<SuccessRateEjection> {
    /** Factor 1.9, 5 servers, 100 requests, every outlier. */
    public static final SuccessRateEjection DEFAULT = new SuccessRateEjection(1900, 5, 100, 100);

    private SuccessRateEjection(int stdevFactor, int minimumHosts, int requestVolume, int enforcementPercentage) {
        super("stdevFactor", stdevFactor, minimumHosts, requestVolume, enforcementPercentage);
    }

    @Override
    SuccessRateEjection with(int stdevFactor, int hosts, int requests, int percent) {
        return new SuccessRateEjection(stdevFactor, hosts, requests, percent);
    }

    /** How many standard deviations below the mean a rate may be, in thousandths. */
    public int stdevFactor() {
        return limit();
    }

    /**
     * With another factor, 0 to 100,000 thousandths.
     *
     * @throws IllegalArgumentException it is out of that range
     */
    public SuccessRateEjection withStdevFactor(int thousandths) {
        return withLimit(Ranges.check(thousandths, 0, 100_000, "stdevFactor"));
    }
}
