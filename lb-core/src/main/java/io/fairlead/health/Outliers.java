package io.fairlead.health;

/** The arithmetic of the detectors that compare servers, over the counts of one interval; without state. */
final class Outliers {
    private final long[] successes;
    private final long[] failures;

    /** Of servers with these counts, each at the same index. */
    Outliers(long[] successes, long[] failures) {
        this.successes = successes;
        this.failures = failures;
    }

    private long volume(int server) {
        return successes[server] + failures[server];
    }

    private boolean isEnough(int requestVolume, int minimumHosts) {
        int hosts = 0;
        for (int i = 0; i < successes.length; i++) {
            hosts += volume(i) >= requestVolume ? 1 : 0;
        }
        return hosts >= minimumHosts;
    }

    /** The success rate, from 0 to 1, below which a server is an outlier; NaN: there are too few to compare. */
    double successRateThreshold(SuccessRateEjection settings) {
        int volume = settings.requestVolume();
        if (!isEnough(volume, settings.minimumHosts())) {
            return Double.NaN;
        }
        double sum = 0;
        int hosts = 0;
        for (int i = 0; i < successes.length; i++) {
            if (volume(i) >= volume) {
                sum += rate(i);
                hosts++;
            }
        }
        double mean = sum / hosts;
        double squares = 0;
        for (int i = 0; i < successes.length; i++) {
            if (volume(i) >= volume) {
                squares += (rate(i) - mean) * (rate(i) - mean);
            }
        }
        return mean - Math.sqrt(squares / hosts) * settings.stdevFactor() / 1000;
    }

    private double rate(int server) {
        return (double) successes[server] / volume(server);
    }

    boolean isBelow(int server, double threshold, SuccessRateEjection settings) {
        return volume(server) >= settings.requestVolume() && rate(server) < threshold;
    }

    boolean canJudge(FailurePercentageEjection settings) {
        return isEnough(settings.requestVolume(), settings.minimumHosts());
    }

    boolean failsMost(int server, FailurePercentageEjection settings) {
        return volume(server) >= settings.requestVolume()
                && failures[server] * 100 >= volume(server) * settings.threshold();
    }
}
