package io.fairlead.benchmarks.agent;

/**
 * What was measured under one agent, or under none.
 *
 * @param start of a JVM until it has ended, in ms
 * @param resident of an application that makes no call, in KiB
 * @param residentAfterCalls of one that has made calls, in KiB
 * @param foreign a call to a host that is no service, in ns
 * @param balanced a call to a service under our agent, to one of its servers under the others, in ns
 */
record Costs(Figure start, Figure resident, Figure residentAfterCalls, Figure foreign, Figure balanced) {}
