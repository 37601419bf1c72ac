/**
 * How the strategies spread requests and keys, computed from fixed seeds through the public API and drawn for the
 * documentation.
 */
package io.fairlead.benchmarks.balance;
