/**
 * Apache HttpClient 4.3 to 4.5, and HttpAsyncClient 4.1.
 *
 * <p>HttpClient: a try is one run of {@code MainClientExec.execute} (or {@code MinimalClientExec}), the innermost link of
 * the client's chain: what stands before it (redirects, retries, cookies, Host, authentication) knows the logical name
 * alone, and each hop of a redirect comes here by itself. The route that it gets leads to the server; over https it keeps
 * the logical name, for SNI and the certificate check. Routes are what connections are pooled by.
 *
 * <p>A try ends when its {@code ConnectionHolder} gives the connection back, which is at the end of the answer's body, or
 * with an exception. The same request object coming again without an answer in between is the client's own retry: it
 * goes on with the tries that the request has left.
 *
 * <p>HttpAsyncClient: a call has one handler, which asks the connection manager for a connection to its route. What the
 * manager is asked for leads to the server; the handler's own route, by which TLS is set up and redirects are judged,
 * stays the logical one. Where a try ends without an answer, the handler is not told of the failure but asks anew.
 */
package io.fairlead.agent.apache4;
