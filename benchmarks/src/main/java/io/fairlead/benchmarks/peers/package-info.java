/** Other libraries' load balancers, each driven in process the way its own library drives it. */
package io.fairlead.benchmarks.peers;
