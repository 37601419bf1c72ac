package io.fairlead.benchmarks.agent;

/** The smallest application: what its JVM takes longer under an agent is the agent's start. */
final class Hello {
    private Hello() {}

    public static void main(String[] args) {
        System.out.println("hello");
    }
}
