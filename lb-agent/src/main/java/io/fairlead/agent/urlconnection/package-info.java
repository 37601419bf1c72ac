/**
 * {@code java.net.HttpURLConnection}, http and https. Over https the certificate is checked, and SNI sent, for the logical
 * name, since both are those of the URL.
 *
 * <p>The URL of a call is never changed. Two things are: where the socket is connected to
 * ({@code NetworkClient.doConnect}), and by what idle connections are told apart ({@code KeepAliveCache}), which is the
 * server and not the service. So Host, cookies, {@code getURL()}, redirects, authentication and exceptions stay those of
 * the logical name, since nothing above the socket knows of another.
 *
 * <p>A try begins in {@code HttpClient.New}, where the JDK looks for a connection, and ends with the answer's body, with
 * an exception, with {@code disconnect()}, with the next try of the same connection object (a redirect), or, where an
 * application drops a connection without any of these, when the collector has taken the connection object; its server's
 * count of requests in flight is right again at the next call after that.
 *
 * <p>The JDK itself sends a request a second time when a connection broke before an answer's head. That is the retry
 * here too: it goes to the server that {@link io.fairlead.retry.Attempts} names, and where that names none, to the same
 * server again, as it would without the agent. Nothing is sent more often than the JDK does.
 *
 * <p>Under a security manager (Java 8 to 17) it is the socket's target that is checked, so the application needs the
 * permission to connect to the servers, and idle connections are not used again.
 */
package io.fairlead.agent.urlconnection;
