/** What a call costs with the interceptor, beside plain OkHttp and other balancing clients. */
package io.fairlead.benchmarks.okhttp;
