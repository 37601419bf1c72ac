/** What is known of the containers, and asked of them, beyond the Servlet API. Used inside of the proxy. */
package io.fairlead.servlet.container;
