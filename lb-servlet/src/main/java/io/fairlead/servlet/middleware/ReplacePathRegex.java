package io.fairlead.servlet.middleware;

import io.fairlead.config.ConfigNode;
import io.fairlead.servlet.routing.PathForm;

/**
 * {@code replacePathRegex: {regex, replacement}}: exchanges the matches in the path; {@code X-Replaced-Path} tells the path
 * before. The expression sees the path with escapes only where they mean something; a path that it matches only once
 * slashes and parameters are tidied up is refused, since servers could do that, too.
 */
final class ReplacePathRegex implements Middleware {
    private final RegexExchange exchange;

    private ReplacePathRegex(RegexExchange exchange) {
        this.exchange = exchange;
    }

    static Middleware read(ConfigNode node) {
        node.allow("regex", "replacement");
        ConfigNode to = node.get("replacement");
        if (!Paths.isClean(to.string("").strip())) {
            to.problem("has a character that must be escaped in a path (a blank is %20, ? is %3F, # is %23)");
        }
        return new ReplacePathRegex(RegexExchange.read(node));
    }

    @Override
    public void apply(RoutedRequest request) {
        String path = PathForm.uniform(request.path());
        if (exchange.matches(path)) {
            request.addField(ReplacePath.TELLS, PathForm.escaped(request.path()));
            Paths.set(request, exchange.apply(path));
        } else if (exchange.matches(PathForm.normal(path))) {
            request.refusePath();
        }
    }
}
