package io.fairlead.servlet.middleware;

import io.fairlead.config.AddressRange;
import io.fairlead.config.AddressRanges;
import io.fairlead.config.ConfigNode;
import io.fairlead.servlet.routing.RouteFacts;
import java.util.List;

/**
 * {@code ipStrategy}: which address a request counts as. By default the client's, by the word of trusted proxies; {@code
 * depth} takes the hop that far from the right in what a trusted peer tells, {@code excludedIPs} the first from the right
 * that is none of these.
 *
 * <p>Immutable.
 */
final class IpStrategy {
    static final IpStrategy CLIENT = new IpStrategy(0, AddressRanges.NONE, 0);

    private final int depth;
    private final AddressRanges excluded;
    private final int ipv6Subnet;

    private IpStrategy(int depth, AddressRanges excluded, int ipv6Subnet) {
        this.depth = depth;
        this.excluded = excluded;
        this.ipv6Subnet = ipv6Subnet;
    }

    static IpStrategy read(ConfigNode node) {
        node.allow("depth", "excludedIPs", "ipv6Subnet");
        int depth = node.get("depth").integer(0, 1_000, 0);
        AddressRanges excluded = AddressRanges.read(node.get("excludedIPs"));
        if (depth > 0 && !node.get("excludedIPs").isMissing()) {
            node.get("excludedIPs").problem("stands beside depth, which wins; one of the two only");
        }
        return new IpStrategy(depth, excluded, node.get("ipv6Subnet").integer(1, 128, 0));
    }

    /** The address; empty where the request has none in that place. */
    String of(RouteFacts facts) {
        String address = address(facts);
        return ipv6Subnet > 0 ? AddressRange.networkOf(address, ipv6Subnet) : address;
    }

    private String address(RouteFacts facts) {
        if (depth > 0) {
            List<String> hops = facts.forwardedFor();
            return hops.size() < depth ? "" : hops.get(hops.size() - depth);
        }
        if (excluded.isEmpty()) {
            return facts.remoteAddress();
        }
        List<String> hops = facts.forwardedFor();
        for (int i = hops.size() - 1; i >= 0; i--) {
            String hop = hops.get(i);
            if (!hop.isEmpty() && !excluded.contains(hop)) {
                return hop;
            }
        }
        return "";
    }
}
