/**
 * Apache HttpClient 4.3 to 4.5.
 *
 * <p>A try is one run of {@code MainClientExec.execute} (or {@code MinimalClientExec}), the innermost link of the
 * client's chain: what stands before it (redirects, retries, cookies, Host, authentication) knows the logical name alone,
 * and each hop of a redirect comes here by itself. The route that it gets leads to the server; over https it keeps the
 * logical name, for SNI and the certificate check. Routes are what connections are pooled by.
 *
 * <p>A try ends when its {@code ConnectionHolder} gives the connection back, which is at the end of the answer's body, or
 * with an exception. The same request object coming again without an answer in between is the client's own retry: it
 * goes on with the tries that the request has left.
 */
package io.fairlead.agent.apache4;
