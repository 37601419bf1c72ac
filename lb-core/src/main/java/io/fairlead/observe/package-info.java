/** What can be seen of a load balancer from outside: immutable snapshots. */
package io.fairlead.observe;
