/**
 * Apache HttpClient 5.0 to 5.6, classic and asynchronous.
 *
 * <p>Classic: a try is one run of {@code ConnectExec.execute}, which stands inside of redirects, retries, cookies and
 * Host; the scope that it gets has a route that leads to the server. The {@code InternalExecRuntime} tells when the
 * connection is given back, which is at the end of the answer's body.
 *
 * <p>Asynchronous: the route is changed where a connection is asked for, and everything above knows the logical one.
 * The client for HTTP/2 alone opens that connection by the name of the route's host; where it does, it is given the address.
 */
package io.fairlead.agent.apache5;
