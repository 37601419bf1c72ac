package io.fairlead.health;

import java.util.Objects;

/**
 * What the ways have in common by which servers are judged at the end of each interval, from the counts of all of them: of
 * how many requests, among how many servers, and how surely an outlier is ejected.
 *
 * <p>Immutable; equal by value.
 *
 * @param <E> the way
 */
public abstract class OutlierEjection<E extends OutlierEjection<E>> {
    private final String option;
    private final int limit;
    private final int minimumHosts;
    private final int requestVolume;
    private final int enforcementPercentage;

    /**
     * Of these values, all within their ranges.
     *
     * @param option what the limit is called, by which the ways differ
     * @param limit by what a server is an outlier
     */
    OutlierEjection(String option, int limit, int minimumHosts, int requestVolume, int enforcementPercentage) {
        this.option = option;
        this.limit = limit;
        this.minimumHosts = minimumHosts;
        this.requestVolume = requestVolume;
        this.enforcementPercentage = enforcementPercentage;
    }

    /** The same way with other values. */
    abstract E with(int otherLimit, int hosts, int requests, int percent);

    final int limit() {
        return limit;
    }

    final E withLimit(int other) {
        return with(other, minimumHosts, requestVolume, enforcementPercentage);
    }

    /** How many servers with enough requests there must be. */
    public final int minimumHosts() {
        return minimumHosts;
    }

    /** How many requests a server must have ended in the interval to be judged. */
    public final int requestVolume() {
        return requestVolume;
    }

    /** The chance in percent that an outlier is ejected. */
    public final int enforcementPercentage() {
        return enforcementPercentage;
    }

    /**
     * With another number of servers, at least 1.
     *
     * @throws IllegalArgumentException it is less
     */
    public final E withMinimumHosts(int hosts) {
        Ranges.check(hosts, 1, Integer.MAX_VALUE, "minimumHosts");
        return with(limit, hosts, requestVolume, enforcementPercentage);
    }

    /**
     * With another number of requests, at least 1.
     *
     * @throws IllegalArgumentException it is less
     */
    public final E withRequestVolume(int requests) {
        Ranges.check(requests, 1, Integer.MAX_VALUE, "requestVolume");
        return with(limit, minimumHosts, requests, enforcementPercentage);
    }

    /**
     * With another chance of ejection, 0 to 100 percent.
     *
     * @throws IllegalArgumentException it is out of that range
     */
    public final E withEnforcementPercentage(int percent) {
        Ranges.check(percent, 0, 100, "enforcementPercentage");
        return with(limit, minimumHosts, requestVolume, percent);
    }

    @Override
    public final boolean equals(Object other) {
        if (!(other instanceof OutlierEjection)) {
            return false;
        }
        OutlierEjection<?> that = (OutlierEjection<?>) other;
        return option.equals(that.option)
                && limit == that.limit
                && minimumHosts == that.minimumHosts
                && requestVolume == that.requestVolume
                && enforcementPercentage == that.enforcementPercentage;
    }

    @Override
    public final int hashCode() {
        return Objects.hash(option, limit, minimumHosts, requestVolume, enforcementPercentage);
    }

    @Override
    public final String toString() {
        return getClass().getSimpleName() + "{" + option + "=" + limit + ", minimumHosts=" + minimumHosts
                + ", requestVolume=" + requestVolume + ", enforcementPercentage=" + enforcementPercentage + "}";
    }
}
