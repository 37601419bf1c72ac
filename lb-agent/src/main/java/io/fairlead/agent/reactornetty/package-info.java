/**
 * Reactor Netty 1.0 to 1.3, the transport of Spring's {@code WebClient}.
 *
 * <p>Each subscription to a request has an {@code HttpClientHandler}, which supplies the address to connect to, by which
 * connections are pooled too, and is asked after a failure whether to try again. URI and Host are made of the URI, which
 * is never changed; SNI and the certificate check of the name of the address, which stays the logical one.
 *
 * <p>An address never waits for DNS on a thread of Netty: a server whose host is a name is handed on as such, to be
 * resolved by the client's own resolver. Over https the JVM's resolver is asked, so that the logical name is kept.
 */
package io.fairlead.agent.reactornetty;
