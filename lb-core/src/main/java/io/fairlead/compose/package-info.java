/** Services made of services: failover, weighted, mirroring. */
package io.fairlead.compose;
