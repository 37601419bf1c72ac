/**
 * Client-side load balancing for OkHttp: {@link io.fairlead.okhttp.LoadBalancingInterceptor} sends calls to
 * {@code http://orders/...} to a server of the service {@code orders}.
 */
package io.fairlead.okhttp;
