package io.fairlead.servlet.middleware;

import io.fairlead.config.ConfigNode;
import java.util.ArrayList;
import java.util.List;

/** {@code chain: {middlewares: [...]}}: several middlewares under one name, in order. */
final class Chain implements Middleware {
    /** Chains of chains multiply: beyond so many in one, somebody means harm. */
    private static final int MAX_LINKS = 1_000;

    private final List<Middleware> links;

    private Chain(List<Middleware> links) {
        this.links = links;
    }

    static Middleware read(ConfigNode node, String router, Middlewares all) {
        node.allow("middlewares");
        List<Middleware> links = new ArrayList<>();
        for (ConfigNode item : node.get("middlewares").requiredItems()) {
            Middleware link = all.named(item, router);
            if (link instanceof Chain chain) {
                links.addAll(chain.links);
            } else if (link != null) {
                links.add(link);
            }
            if (links.size() > MAX_LINKS) {
                item.problem("the chain has more than " + MAX_LINKS + " middlewares in it");
                links.clear();
                break;
            }
        }
        return new Chain(List.copyOf(links));
    }

    @Override
    public void apply(RoutedRequest request) {
        for (Middleware link : links) {
            if (request.isAnswered()) {
                return;
            }
            link.apply(request);
        }
    }

    @Override
    public boolean isQuick() {
        return links.stream().allMatch(Middleware::isQuick);
    }
}
