/**
 * The door of Fairlead: {@link io.fairlead.LoadBalancers} by service name, a {@link io.fairlead.LoadBalancer} for one
 * service, and the {@link io.fairlead.Pick} that one request is given.
 */
package io.fairlead;
