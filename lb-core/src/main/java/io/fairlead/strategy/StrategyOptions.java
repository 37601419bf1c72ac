package io.fairlead.strategy;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * The options of the strategies that ship with the library; each strategy reads its own and passes over the others.
 *
 * <p>Immutable; equal by value. Every {@code with} method gives a copy with one option changed, and throws
 * {@link IllegalArgumentException} with the range where the value is outside of it.
 */
public final class StrategyOptions {
    /** All defaults: hashed by the client's address. */
    public static final StrategyOptions DEFAULT = new StrategyOptions(new Values());

    private static final int MAX_CHOICES = 1_000_000;
    private static final int MAX_POINTS = 10_000;
    private static final int MIN_TABLE = 3;
    private static final int MAX_TABLE = 5_000_011;
    private static final Duration MIN_DECAY = Duration.ofMillis(1);
    private static final Duration MAX_DECAY = Duration.ofHours(1);
    private static final double MAX_BOUND = 100;

    private final Values values;

    private StrategyOptions(Values values) {
        this.values = values;
    }

    private StrategyOptions with(Consumer<Values> change) {
        Values changed = values.copy();
        change.accept(changed);
        return new StrategyOptions(changed);
    }

    /** What a hash strategy hashes, in the form of {@link HashKey#parse}; default {@code $remote_addr}. */
    public String hashBy() {
        return values.hashBy;
    }

    /**
     * These options with another {@link #hashBy()}.
     *
     * @throws IllegalArgumentException {@link HashKey#parse} refuses it
     */
    public StrategyOptions withHashBy(String hashBy) {
        HashKey.parse(hashBy);
        return with(changed -> changed.hashBy = hashBy);
    }

    /**
     * How many servers {@code p2c}, {@code peak-ewma}, {@code least-requests} and {@code leasttime} compare for a pick.
     * Default 0, the strategy's own number: 2 for {@code p2c} and {@code peak-ewma}, 8 for {@code leasttime}, all for
     * {@code least-requests}.
     */
    public int choices() {
        return values.choices;
    }

    /** These options with another {@link #choices()}: 0, or from 2 to 1,000,000; more than there are servers: all. */
    public StrategyOptions withChoices(int choices) {
        if (choices != 0) {
            requireBetween("choices", choices, 2, MAX_CHOICES);
        }
        return with(changed -> changed.choices = choices);
    }

    /** At how many points a server of weight 1 stands on the ring of {@code ring-hash}; default 150. */
    public int pointsPerServer() {
        return values.pointsPerServer;
    }

    /** These options with another {@link #pointsPerServer()}, from 1 to 10,000. */
    public StrategyOptions withPointsPerServer(int pointsPerServer) {
        requireBetween("pointsPerServer", pointsPerServer, 1, MAX_POINTS);
        return with(changed -> changed.pointsPerServer = pointsPerServer);
    }

    /**
     * The function by which {@code ring-hash} hashes points and keys: {@code xxhash64}, the default, {@code crc32}, or
     * {@code fnv1a-fmix64}.
     */
    public String hashFunction() {
        return values.hashFunction.configName();
    }

    /** These options with another {@link #hashFunction()}, in any case; the message names the nearest known one. */
    public StrategyOptions withHashFunction(String hashFunction) {
        return with(changed -> changed.hashFunction = HashFunction.named(hashFunction));
    }

    /**
     * The number of slots in the table of {@code maglev}, a prime. Default 0, the strategy's own: 65,537, or 262,147 with
     * more than 6,553 servers. A hundred times the number of servers keeps shares within one percent of each other.
     */
    public int tableSize() {
        return values.tableSize;
    }

    /** These options with another {@link #tableSize()}: 0, or a prime from 3 to 5,000,011. */
    public StrategyOptions withTableSize(int tableSize) {
        if (tableSize != 0) {
            requireBetween("tableSize", tableSize, MIN_TABLE, MAX_TABLE);
        }
        if (tableSize != 0 && !Primes.isPrime(tableSize)) {
            throw new IllegalArgumentException(
                    "tableSize " + tableSize + " is not a prime; the next is " + Primes.from(tableSize));
        }
        return with(changed -> changed.tableSize = tableSize);
    }

    /**
     * How long a latency counts in the average of {@code peak-ewma} and {@code leasttime}: after this time, a former
     * value has 1/e of its weight left. Default 10 s.
     */
    public Duration decay() {
        return values.decay;
    }

    /** These options with another {@link #decay()}, from 1 ms to 1 h. */
    public StrategyOptions withDecay(Duration decay) {
        if (decay.compareTo(MIN_DECAY) < 0 || decay.compareTo(MAX_DECAY) > 0) {
            throw new IllegalArgumentException("decay " + decay + " is not between 1ms and 1h");
        }
        return with(changed -> changed.decay = decay);
    }

    /**
     * By what factor a server's requests under way may exceed its share of all, before a hash strategy sends a key to
     * the next server in its order; default 0: by any.
     */
    public double boundedLoad() {
        return values.boundedLoad;
    }

    /** These options with another {@link #boundedLoad()}: 0, or from 1 to 100; 1.25 is usual. */
    public StrategyOptions withBoundedLoad(double boundedLoad) {
        if (boundedLoad != 0 && !(boundedLoad >= 1 && boundedLoad <= MAX_BOUND)) {
            throw new IllegalArgumentException("boundedLoad " + boundedLoad + " is neither 0 nor between 1 and 100");
        }
        // Not the other zero, -0, which is equal to this one and has another hash.
        return with(changed -> changed.boundedLoad = boundedLoad + 0.0);
    }

    private static void requireBetween(String name, int value, int min, int max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(name + " " + value + " is not between " + min + " and " + max);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof StrategyOptions && ((StrategyOptions) other).values.isLike(values);
    }

    @Override
    public int hashCode() {
        return Objects.hash(
                values.hashBy,
                values.choices,
                values.pointsPerServer,
                values.hashFunction,
                values.tableSize,
                values.decay,
                values.boundedLoad);
    }

    @Override
    public String toString() {
        return "StrategyOptions{hashBy=" + values.hashBy + ", choices=" + values.choices + ", pointsPerServer="
                + values.pointsPerServer + ", hashFunction=" + hashFunction() + ", tableSize=" + values.tableSize
                + ", decay=" + values.decay + ", boundedLoad=" + values.boundedLoad + "}";
    }

    /** Written only before it is handed to an instance. */
    private static final class Values {
        String hashBy = "$remote_addr";
        int choices;
        int pointsPerServer = 150;
        HashFunction hashFunction = HashFunction.XXHASH64;
        int tableSize;
        Duration decay = Duration.ofSeconds(10);
        double boundedLoad;

        Values copy() {
            Values copy = new Values();
            copy.hashBy = hashBy;
            copy.choices = choices;
            copy.pointsPerServer = pointsPerServer;
            copy.hashFunction = hashFunction;
            copy.tableSize = tableSize;
            copy.decay = decay;
            copy.boundedLoad = boundedLoad;
            return copy;
        }

        boolean isLike(Values other) {
            return hashBy.equals(other.hashBy)
                    && choices == other.choices
                    && pointsPerServer == other.pointsPerServer
                    && hashFunction == other.hashFunction
                    && tableSize == other.tableSize
                    && decay.equals(other.decay)
                    && boundedLoad == other.boundedLoad;
        }
    }
}
