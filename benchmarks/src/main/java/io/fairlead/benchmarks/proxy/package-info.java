/** Measures the proxy beside its peers, each a process of its own, before one server and under the same load. */
package io.fairlead.benchmarks.proxy;
