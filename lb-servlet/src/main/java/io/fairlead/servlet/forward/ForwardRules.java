package io.fairlead.servlet.forward;

import io.fairlead.config.AddressRange;
import io.fairlead.config.ConfigFile;
import io.fairlead.config.ConfigNode;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code http.forwardProxy}: which hosts a client may name, and which addresses these may have.
 *
 * <p>Immutable; equal by value.
 */
public final class ForwardRules {
    private static final Duration IDLE = Duration.ofMinutes(5);

    private final List<HostRule> hosts;
    private final List<AddressRange> addresses;
    private final boolean forwardedFields;
    private final Duration idle;

    private ForwardRules(List<HostRule> hosts, List<AddressRange> addresses, boolean forwardedFields, Duration idle) {
        this.hosts = List.copyOf(hosts);
        this.addresses = List.copyOf(addresses);
        this.forwardedFields = forwardedFields;
        this.idle = idle;
    }

    /** Reads the rules; null where the file has none, and nothing is forwarded. What is wrong joins the file's problems. */
    public static @Nullable ForwardRules read(ConfigFile file) {
        ConfigNode node = file.http().get("forwardProxy");
        if (node.isMissing()) {
            return null;
        }
        node.allow("hosts", "addresses", "xForwarded", "idleTimeout");
        List<HostRule> hosts = new ArrayList<>();
        for (ConfigNode item : node.get("hosts").requiredItems()) {
            String text = item.requiredString();
            HostRule rule = text == null ? null : HostRule.parse(text);
            if (rule != null) {
                hosts.add(rule);
            } else if (text != null) {
                item.problem("'" + text + "' is not a host such as api.example.org, *.example.org or"
                        + " api.example.org:8443");
            }
        }
        List<AddressRange> addresses = new ArrayList<>();
        for (ConfigNode item : node.get("addresses").items()) {
            String text = item.requiredString();
            AddressRange range = text == null ? null : AddressRange.parse(text);
            if (range != null) {
                addresses.add(range);
            } else if (text != null) {
                item.problem("'" + text + "' is not an IP address, nor a range such as 10.0.0.0/8");
            }
        }
        return new ForwardRules(
                hosts,
                addresses,
                node.get("xForwarded").bool(false),
                node.get("idleTimeout").duration(IDLE));
    }

    /**
     * Whether a client may name this host.
     *
     * @param host in lower case, an IPv6 address without brackets
     */
    public boolean allows(String host, int port) {
        for (HostRule rule : hosts) {
            if (rule.matches(host, port)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether a host that is allowed may have this address. Loopback, link-local, unspecified and multicast addresses are
     * for those that the list names by that address, for {@code localhost}, and for the ranges of {@code forwardProxy.addresses}: another
     * name may be pointed at them by whoever owns it.
     *
     * @param host the name that was asked for, as in {@link #allows}
     */
    public boolean allows(String host, InetAddress address) {
        return host.equals("localhost")
                || AddressRange.isAddress(host)
                || !Addresses.isSpecial(address)
                || isListed(address);
    }

    private boolean isListed(InetAddress address) {
        for (AddressRange range : addresses) {
            if (range.contains(AddressRange.bare(address.getHostAddress()))) {
                return true;
            }
        }
        return false;
    }

    /** Whether the host is told who the client is, by X-Forwarded-For and the like; not by default. */
    public boolean forwardedFields() {
        return forwardedFields;
    }

    /** How long nothing may move in a tunnel; five minutes by default, zero: for ever. */
    public Duration idle() {
        return idle;
    }
}
