/** Which request goes to which service: rules and routers. Public only for the packages beside it. */
package io.fairlead.servlet.routing;
