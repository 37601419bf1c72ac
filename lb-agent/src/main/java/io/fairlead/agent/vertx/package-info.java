/**
 * Vert.x 4.5 and 5.0: {@code HttpClient}, and {@code WebClient}, which stands on it.
 *
 * <p>Every request, that of a redirect too, begins with {@code HttpClientImpl.request(RequestOptions)}. The options know
 * a server apart from host and port: it is what is connected to, and what connections are pooled by, while Host, SNI,
 * certificate check and the URL that the application sees are those of host and port. So a copy of the options with a
 * server is all that it takes. Options that name a server already, or go through a proxy, are left alone.
 *
 * <p>A connection that cannot be had is asked for again, of the next server, before the application gets its request. A
 * request that breaks before an answer is sent again as a request of its own, whose answer is handed to the first one,
 * as the client does with a redirect; that can be where it was written in one piece. A try ends with the end of the
 * answer's body.
 */
package io.fairlead.agent.vertx;
