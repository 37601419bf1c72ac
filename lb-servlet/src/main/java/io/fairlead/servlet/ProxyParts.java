package io.fairlead.servlet;

/**
 * What all exchanges of one filter share.
 *
 * @param upstreams the clients
 * @param trust whose X-Forwarded-For is believed
 * @param breaker how this container's responses are broken off
 */
record ProxyParts(Upstreams upstreams, Trust trust, ResponseBreaker breaker) {}
