/** What is done to a request between the router and the service, one middleware a file. */
package io.fairlead.servlet.middleware;
