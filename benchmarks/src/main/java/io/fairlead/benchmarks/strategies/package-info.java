/** The strategies and their peers, a pick at a time. */
package io.fairlead.benchmarks.strategies;
