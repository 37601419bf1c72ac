package io.fairlead.benchmarks.okhttp;

/**
 * What one process measured of one client.
 *
 * @param wallNanos a call, from the caller's side
 * @param cpuNanos processor time of the caller's thread, a call
 * @param bytes allocated by all threads, a call
 * @param connections opened from the beginning to the end
 */
record Round(double wallNanos, double cpuNanos, double bytes, double connections) {}
