/** The gateway: Jetty, the proxy filter and the admin endpoints behind one command line. */
package io.fairlead.gateway;
