/**
 * Jetty's {@code HttpClient}, 9.4 to 12.1, over HTTP/1.1 and HTTP/2.
 *
 * <p>The client keeps what belongs together (connections, requests that wait for one) in a destination, which is found by
 * an origin: scheme, address and a few things more. Calls of ours get an origin whose address is still the logical one,
 * and equal to others of the same server only. So pools are by server, and Host, cookies and redirects are the logical
 * name's. Where a connection is opened, the client's resolver is asked for the server's name; the addresses that it finds
 * bear the logical one, for SNI and the certificate check.
 *
 * <p>A try is one of Jetty's exchanges. Where no connection came about, the exchanges that wait in the destination are
 * moved to those of other servers. A failure before an answer is told to a listener of ours, which stands in the place of
 * the application's until an answer begins, and which sends the request once more or hands the failure on.
 *
 * <p>Packages and signatures differ between the versions, so all but a few types is reached by reflection.
 */
package io.fairlead.agent.jetty;
