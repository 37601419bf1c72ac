/** How servers are spoken to over TLS, from PEM texts. */
package io.fairlead.tls;
