/**
 * Services with faults, simulated in virtual time: the load balancer and its retries are the real ones, clients, network
 * and servers are models. The same code gives the same figures to the last digit.
 */
package io.fairlead.benchmarks.simulation;
