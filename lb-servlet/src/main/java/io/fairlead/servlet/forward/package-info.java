/** Forward mode: requests and tunnels to hosts that a client names, as far as the configuration lists them. */
package io.fairlead.servlet.forward;
