/**
 * AsyncHttpClient 2.12 and 3.0.
 *
 * <p>Every request, that of a redirect too, is sent by {@code NettyRequestSender.sendRequest}. Two things of it are
 * changed: the addresses that are connected to ({@code resolveAddresses}), and the key by which connections are pooled
 * ({@code DefaultRequest.getChannelPoolPartitioning}). URI, Host, SNI, certificate check and cookies are the logical
 * name's.
 *
 * <p>A try ends with what the application's handler is told, which goes through a handler of ours. After a failure the
 * request goes on as {@link io.fairlead.retry.Attempts} says, in the place of the client's own resend, which sends POST
 * too and always to the same host.
 */
package io.fairlead.agent.ahc;
