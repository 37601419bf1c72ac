/** Tunnels on Tomcat's own connections: the only classes that know Tomcat, loaded only where it is the container. */
package io.fairlead.servlet.tunnel.tomcat;
