package io.fairlead.servlet;

import io.fairlead.servlet.tunnel.Takeover;

/**
 * What all exchanges of one filter share.
 *
 * @param upstreams the clients
 * @param trust whose X-Forwarded-For is believed
 * @param breaker how this container's responses are broken off
 * @param takeover how this container's connections are taken over
 */
record ProxyParts(Upstreams upstreams, Trust trust, ResponseBreaker breaker, Takeover takeover) {}
