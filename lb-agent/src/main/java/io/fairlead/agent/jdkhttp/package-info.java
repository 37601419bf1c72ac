/**
 * {@code java.net.http.HttpClient} of Java 11 and newer, synchronous and asynchronous, over HTTP/1.1 and HTTP/2.
 *
 * <p>Two things of a request are changed: the address that it is connected to ({@code HttpRequestImpl.getAddress}), by
 * which connections of HTTP/1.1 are pooled too, and the key of those of HTTP/2 ({@code Http2Connection.keyFor}). URI,
 * Host, cookies, redirects, SNI and certificate check are the logical name's.
 *
 * <p>A try is one {@code Exchange.responseAsync}; the JDK makes an {@code Exchange} for each hop of a redirect. Where the
 * request goes on to another server, it is called once more on the same object, as the JDK itself does after a connection
 * that failed. A try ends with the body that the application's subscriber gets.
 *
 * <p>Nobody can be compiled against the inside of the JDK, nor against this client where Java 8 is the target: it is all
 * reflection.
 */
package io.fairlead.agent.jdkhttp;
