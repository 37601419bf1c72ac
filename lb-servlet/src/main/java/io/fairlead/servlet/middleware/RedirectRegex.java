package io.fairlead.servlet.middleware;

import io.fairlead.config.ConfigNode;

/**
 * {@code redirectRegex: {regex, replacement, permanent}}: sends the client to what its URL becomes when the matches are
 * exchanged, unless that is the same URL.
 */
final class RedirectRegex implements Middleware {
    private final RegexExchange exchange;
    private final boolean permanent;

    private RedirectRegex(RegexExchange exchange, boolean permanent) {
        this.exchange = exchange;
        this.permanent = permanent;
    }

    static Middleware read(ConfigNode node) {
        node.allow("regex", "replacement", "permanent");
        return new RedirectRegex(RegexExchange.read(node), node.get("permanent").bool(false));
    }

    @Override
    public void apply(RoutedRequest request) {
        String url = Redirects.url(request);
        if (url == null) {
            return;
        }
        String other = exchange.apply(url);
        if (!other.equals(url)) {
            Redirects.answer(request, other, permanent);
        }
    }
}
