/** What an agent costs the application that it comes into: at its start, in memory, and at each call. */
package io.fairlead.benchmarks.agent;
