package io.fairlead.benchmarks.simulation;

import java.util.List;

/**
 * What goes wrong, and when.
 *
 * @param name in file names and figures
 * @param title above tables and plots
 * @param faultFrom the second in which it begins
 * @param faultTo the second in which it is over
 * @param faulty the indices of the servers whose share is told; empty: no server is worse than another
 * @param askAgainShare the share of clients whose request has failed that ask again, once, a second after; 0 to 1
 * @param script the faults
 */
record Scenario(
        String name,
        String title,
        int faultFrom,
        int faultTo,
        List<Integer> faulty,
        double askAgainShare,
        Script script) {

    /** Whether anything goes wrong. */
    boolean hasFault() {
        return faultTo > faultFrom;
    }

    /** Sets up the faults before the first request. */
    @FunctionalInterface
    interface Script {
        void play(Stage stage);
    }
}
