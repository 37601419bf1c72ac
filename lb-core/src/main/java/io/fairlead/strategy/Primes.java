package io.fairlead.strategy;

/** Prime numbers, found by division. */
final class Primes {
    private Primes() {}

    static boolean isPrime(int number) {
        if (number < 2) {
            return false;
        }
        for (int divisor = 2; (long) divisor * divisor <= number; divisor++) {
            if (number % divisor == 0) {
                return false;
            }
        }
        return true;
    }

    /** The least prime that is not below this number. */
    static int from(int number) {
        int candidate = Math.max(2, number);
        while (!isPrime(candidate)) {
            candidate++;
        }
        return candidate;
    }
}
