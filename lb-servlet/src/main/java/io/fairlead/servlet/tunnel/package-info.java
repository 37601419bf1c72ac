/** Tunnels: a client's and a server's connection joined, once HTTP has ended on both. Used inside of the proxy. */
package io.fairlead.servlet.tunnel;
