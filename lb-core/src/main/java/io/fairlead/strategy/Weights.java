package io.fairlead.strategy;

/** Arithmetic on lists of weights, each at least 1. */
final class Weights {
    private Weights() {}

    static long sum(int[] weights) {
        long sum = 0;
        for (int weight : weights) {
            sum += weight;
        }
        return sum;
    }

    static int greatest(int[] weights) {
        int greatest = 0;
        for (int weight : weights) {
            greatest = Math.max(greatest, weight);
        }
        return greatest;
    }

    /** The greatest number that divides all of them. */
    static int commonDivisor(int[] weights) {
        int divisor = 0;
        for (int weight : weights) {
            int a = weight;
            while (divisor != 0) {
                int rest = a % divisor;
                a = divisor;
                divisor = rest;
            }
            divisor = a;
        }
        return divisor;
    }

    /** The weights in the smallest whole numbers of the same proportions; all 1 where they are alike. */
    static int[] reduced(int[] weights) {
        int divisor = commonDivisor(weights);
        int[] reduced = new int[weights.length];
        for (int i = 0; i < reduced.length; i++) {
            reduced[i] = weights[i] / divisor;
        }
        return reduced;
    }

    /**
     * The weights themselves where their sum is at most the limit; else weights in proportion, rounded down but at least
     * 1, whose sum is at most the limit, which has to be twice their number or more.
     */
    static int[] scaledTo(int limit, int[] weights) {
        long sum = sum(weights);
        if (sum <= limit) {
            return weights;
        }
        double factor = (double) (limit - weights.length) / sum;
        int[] scaled = new int[weights.length];
        for (int i = 0; i < weights.length; i++) {
            scaled[i] = Math.max(1, (int) (weights[i] * factor));
        }
        return scaled;
    }
}
