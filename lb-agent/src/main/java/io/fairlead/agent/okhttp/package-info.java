/**
 * OkHttp 3.12 to 5.5.
 *
 * <p>The URL of a request is never changed. OkHttp makes an {@code Address} for each connection that it looks for: ours
 * has the same host and port, and a {@code Dns} of its own for each server, by which connections are pooled, and the
 * {@code Route} that comes of it leads to the server's port. Host, SNI, certificate check, cookies, cache and redirects
 * are the logical name's.
 *
 * <p>A try begins with the address and ends with the body of {@code CallServerInterceptor}'s answer. After a failure
 * OkHttp asks {@code RetryAndFollowUpInterceptor.recover} whether to go on: for calls of ours the answer is that of
 * {@link io.fairlead.retry.Attempts}, and the next address is another server's. So OkHttp's own resend of what may have
 * been executed, POST too, does not happen to them. Version 3.12 goes on by running the interceptor anew, which it does
 * for the first hop of a call only.
 */
package io.fairlead.agent.okhttp;
