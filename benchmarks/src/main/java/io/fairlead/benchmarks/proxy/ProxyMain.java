package io.fairlead.benchmarks.proxy;

/** What the processes have in common that are started here: they print the port that they have taken. */
final class ProxyMain {
    static final String LISTENING = "listening on port ";

    private ProxyMain() {}

    static void announce(int port) {
        System.out.println(LISTENING + port);
    }
}
