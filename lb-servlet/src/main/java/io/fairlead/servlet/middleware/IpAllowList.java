package io.fairlead.servlet.middleware;

import io.fairlead.config.AddressRanges;
import io.fairlead.config.ConfigNode;

/**
 * {@code ipAllowList: {sourceRange: [...]}}: lets requests of these addresses through, and refuses all others with 403.
 * Where there is no address to be judged, the request is refused.
 */
final class IpAllowList implements Middleware {
    private final AddressRanges allowed;
    private final IpStrategy strategy;
    private final OwnAnswer refusal;

    private IpAllowList(AddressRanges allowed, IpStrategy strategy, OwnAnswer refusal) {
        this.allowed = allowed;
        this.strategy = strategy;
        this.refusal = refusal;
    }

    static Middleware read(ConfigNode node) {
        node.allow("sourceRange", "ipStrategy", "rejectStatusCode");
        ConfigNode list = node.get("sourceRange");
        if (list.require() && list.items().isEmpty()) {
            list.problem("is empty, so that nobody would be let through");
        }
        int status = node.get("rejectStatusCode").integer(400, 599, 403);
        return new IpAllowList(
                AddressRanges.read(list),
                IpStrategy.read(node.get("ipStrategy")),
                OwnAnswer.of(status, "The client's address is not allowed"));
    }

    @Override
    public void apply(RoutedRequest request) {
        if (!allowed.contains(strategy.of(request.facts()))) {
            request.answer(refusal);
        }
    }
}
