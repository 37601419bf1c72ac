/** What the measurements share: the servers, the keys and the clock that counts a thread's work. */
package io.fairlead.benchmarks;
