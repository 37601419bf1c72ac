package io.fairlead.strategy;

/**
 * A natural logarithm of basic arithmetic alone, to 10 digits. {@link Math#log} may differ in its last bit from one
 * machine to the next; a table on which several processes have to agree must not.
 */
final class NaturalLog {
    private static final double LN_2 = 0.6931471805599453;

    private NaturalLog() {}

    /** The logarithm of a finite normal number above zero. */
    static double of(double x) {
        long bits = Double.doubleToRawLongBits(x);
        int exponent = (int) (bits >>> 52) - 1023;
        double mantissa = Double.longBitsToDouble((bits & 0xFFFFFFFFFFFFFL) | 0x3FF0000000000000L);
        if (mantissa > 1.4142135623730951) {
            mantissa *= 0.5;
            exponent++;
        }
        // ln m = 2 artanh((m - 1) / (m + 1)), with |t| below 0.172: six terms leave an error below 1e-11.
        double t = (mantissa - 1) / (mantissa + 1);
        double s = t * t;
        double series = 1 + s * (1.0 / 3 + s * (1.0 / 5 + s * (1.0 / 7 + s * (1.0 / 9 + s * (1.0 / 11 + s / 13)))));
        return exponent * LN_2 + 2 * t * series;
    }
}
