package io.fairlead.benchmarks.simulation;

/**
 * What a simulation consists of while nothing is wrong.
 *
 * @param servers how many servers there are; each stands in the next of three zones
 * @param concurrency how many requests a server works on at a time; the others wait in the order in which they came
 * @param backlog how many may wait; what comes beyond it is not accepted, and connecting times out
 * @param service how long a server works on a request
 * @param requestsPerSecond how many come on average, by chance (Poisson) and without regard to how those before fare
 * @param clients how many clients they come from, each with its own address; at most 65,536
 * @param postShare the share of POST, which is not idempotent, from 0 to 1; the others are GET
 * @param networkNanos one way between client and server
 * @param seconds for how long requests come
 * @param measuredFrom the second from which on they are in the figures
 */
record World(
        int servers,
        int concurrency,
        int backlog,
        ServiceTime service,
        double requestsPerSecond,
        int clients,
        double postShare,
        long networkNanos,
        int seconds,
        int measuredFrom) {

    /**
     * The world of the report: twelve servers that are busy half of the time, and 100 seconds, of which the last 80
     * count.
     */
    static World standard() {
        int servers = 12;
        int concurrency = 2;
        double serviceNanos = 50e6;
        double capacity = servers * concurrency / (serviceNanos / 1e9);
        return new World(
                servers,
                concurrency,
                1000,
                ServiceTime.exponential(serviceNanos),
                0.5 * capacity,
                10_000,
                0.1,
                500_000,
                100,
                20);
    }
}
